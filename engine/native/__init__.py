"""The decoder in C++, where it was built; a pure torch path does the same work elsewhere."""

from engine.native.library import NativeDecoder, is_available

__all__ = ["NativeDecoder", "is_available"]
