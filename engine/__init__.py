"""The generation engine. Importing it costs nothing: torch is imported when a model is loaded."""

from engine.config import EngineConfig, WatermarkConfig
from engine.errors import (
    EngineError,
    EngineOverloadedError,
    EngineUnavailableError,
    GenerationError,
    InvalidRequestError,
    ModelLoadError,
    ModelNotFoundError,
    RequestTimeoutError,
)
from engine.local import LocalEngine
from engine.mock import MockConfig, MockEngine
from engine.protocol import Engine
from engine.replicas import RayEngine, is_ray_installed
from engine.types import (
    Chunk,
    EngineStats,
    FinishReason,
    GenerationPlan,
    GenerationRequest,
    ModelInfo,
    SamplingParams,
    Token,
    TokenizedText,
    TokenLogprob,
    WatermarkDetection,
)

__all__ = [
    "Chunk",
    "Engine",
    "EngineConfig",
    "EngineError",
    "EngineOverloadedError",
    "EngineStats",
    "EngineUnavailableError",
    "FinishReason",
    "GenerationError",
    "GenerationPlan",
    "GenerationRequest",
    "InvalidRequestError",
    "LocalEngine",
    "MockConfig",
    "MockEngine",
    "ModelInfo",
    "ModelLoadError",
    "ModelNotFoundError",
    "RayEngine",
    "RequestTimeoutError",
    "SamplingParams",
    "Token",
    "TokenLogprob",
    "TokenizedText",
    "WatermarkConfig",
    "WatermarkDetection",
    "is_ray_installed",
]
