"""What is served here, in the shapes of the Open Inference Protocol."""

from collections.abc import Mapping
from typing import Any

from engine import Engine, ModelInfo, ModelNotFoundError


class MetadataHandlers:
    """``document_info`` is the ``info`` object of the OpenAPI document."""

    def __init__(self, engine: Engine, document_info: Mapping[str, Any]) -> None:
        self._engine = engine
        self._document_info = document_info

    async def server(self) -> dict[str, Any]:
        return {
            "name": self._document_info["title"],
            "version": self._document_info["version"],
            "extensions": ["generate"],
        }

    async def model(self, model_name: str, model_version: str | None = None) -> dict[str, Any]:
        served = self._find(model_name, model_version)
        return {
            "name": model_name,
            "versions": [model.version for model in served],
            "platform": "pytorch_transformers",
            "inputs": [{"name": "text_input", "datatype": "BYTES", "shape": [1]}],
            "outputs": [{"name": "text_output", "datatype": "BYTES", "shape": [1]}],
        }

    def _find(self, name: str, version: str | None) -> list[ModelInfo]:
        """Raises ModelNotFoundError."""
        served = [model for model in self._engine.models() if model.name == name]
        if not served or version not in {None, *(model.version for model in served)}:
            raise ModelNotFoundError("model_name: no such model is served here")
        return served
