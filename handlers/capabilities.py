"""What a model can be asked for."""

from collections.abc import Mapping
from typing import Any

from engine import Engine
from handlers.metadata import find_models

_QUANTISED = ("int8",)  # those types of weights that are not what is computed in


class CapabilityHandlers:
    """``declared`` is what the document says: parameters, formats and data types."""

    def __init__(self, engine: Engine, declared: Mapping[str, Any]) -> None:
        self._engine = engine
        self._declared = declared

    async def capabilities(
        self, model_name: str, model_version: str | None = None
    ) -> dict[str, Any]:
        model = find_models(self._engine, model_name, model_version)[0]
        return {
            "model_name": model.name,
            "model_version": model.version,
            **self._declared,
            "max_prompt_tokens": model.max_prompt_tokens,
            "device": model.device,
            "dtype": model.dtype,
            "quantisation": model.dtype if model.dtype in _QUANTISED else None,
            "decoder": model.decoder,
            "determinism": "batch_invariant" if model.is_load_invariant else "single_request",
        }
