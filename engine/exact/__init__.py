"""A decoder for int8 weights in plain torch: every sum is of integers that floating point holds
exactly, so that no order of adding, and so no neighbour, thread or library, can change a bit."""

from engine.exact.decoder import ExactDecoder

__all__ = ["ExactDecoder"]
