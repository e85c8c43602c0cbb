"""Engines in several processes behind one: an optional part, for which Ray has to be installed."""

from engine.replicas.cluster import is_ray_installed
from engine.replicas.engine import RayEngine

__all__ = ["RayEngine", "is_ray_installed"]
