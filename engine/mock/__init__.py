"""An engine without a model: the same answers as from one, made of filler text."""

from engine.mock.config import MockConfig
from engine.mock.engine import MockEngine

__all__ = ["MockConfig", "MockEngine"]
