"""Models known by name, and how to get them as ordinary transformers directories."""

from engine.hub.errors import HubError
from engine.hub.pulling import pull
from engine.hub.registry import KNOWN_MODELS, KnownModel
from engine.hub.store import models_home, resolve

__all__ = ["KNOWN_MODELS", "HubError", "KnownModel", "models_home", "pull", "resolve"]
