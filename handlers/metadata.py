"""What is served here, in the shapes of the Open Inference Protocol."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from engine import Engine, ModelInfo, ModelNotFoundError
from handlers.tally import Tally

_EXTENSIONS = (
    "generate",
    "dry_run",
    "capabilities",
    "model_configuration",
    "statistics",
    "tokenize",
    "watermark_detection",
)


class MetadataHandlers:
    """``document_info`` is the ``info`` object of the OpenAPI document."""

    def __init__(self, engine: Engine, tally: Tally, document_info: Mapping[str, Any]) -> None:
        self._engine = engine
        self._tally = tally
        self._document_info = document_info

    async def server(self) -> dict[str, Any]:
        return {
            "name": self._document_info["title"],
            "version": self._document_info["version"],
            "extensions": list(_EXTENSIONS),
        }

    async def model(self, model_name: str, model_version: str | None = None) -> dict[str, Any]:
        served = find_models(self._engine, model_name, model_version)
        return {
            "name": model_name,
            "versions": [model.version for model in served],
            "platform": served[0].platform,
            "inputs": [{"name": "text_input", "datatype": "BYTES", "shape": [1]}],
            "outputs": [{"name": "text_output", "datatype": "BYTES", "shape": [1]}],
        }

    async def config(self, model_name: str, model_version: str | None = None) -> dict[str, Any]:
        model = find_models(self._engine, model_name, model_version)[0]
        return {
            "model_name": model.name,
            "model_version": model.version,
            "architecture": model.architecture,
            "vocab_size": model.vocab_size,
            "max_position_embeddings": model.max_position_embeddings,
            "max_seq_len": model.max_seq_len,
            "max_iter_times": model.max_iter_times,
            "max_prompt_tokens": model.max_prompt_tokens,
            "max_running_requests": model.max_num_seqs,
            "max_queue_size": model.max_waiting,
            "eos_token_id": next(iter(model.eos_token_ids), None),
            "eos_token_ids": list(model.eos_token_ids),
            "device": model.device,
            "dtype": model.dtype,
            "decoder": model.decoder,
            "deterministic_under_load": model.is_load_invariant,
        }

    async def stats(self, model_name: str, model_version: str | None = None) -> dict[str, Any]:
        model = find_models(self._engine, model_name, model_version)[0]
        load = await self._engine.stats()
        entry = {
            "name": model.name,
            "version": model.version,
            "inference_count": self._tally.success.count,
            "execution_count": load.num_steps,
            "inference_stats": asdict(self._tally),
            "num_running": load.num_running,
            "num_waiting": load.num_waiting,
            "num_kv_tokens": load.num_kv_tokens,
            "num_generated_tokens": load.num_generated_tokens,
        }
        return {"model_stats": [entry]}


def find_models(engine: Engine, name: str, version: str | None) -> list[ModelInfo]:
    """The versions that are served under a name. Raises ModelNotFoundError."""
    served = [model for model in engine.models() if model.name == name]
    if not served or version not in {None, *(model.version for model in served)}:
        raise ModelNotFoundError("model_name: no such model is served here")
    return served
