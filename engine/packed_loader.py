"""Runners of packed weights: mapped from disk, or made of a model and kept there."""

from typing import TYPE_CHECKING, Any

import torch

from engine.config import EngineConfig
from engine.decoders import make_decoder
from engine.errors import ModelLoadError
from engine.fused_runner import FusedRunner
from engine.packed_store import PackedStore
from engine.packing import PackedWeights, pack

if TYPE_CHECKING:
    from engine.load_check import Checked

DTYPES = ("float32", "int8")  # that packed weights compute as


class PackedLoader:
    """Of one model directory, for one of DTYPES and one decoder."""

    def __init__(self, config: EngineConfig, dtype: str, decoder: str, max_positions: int) -> None:
        self._config = config
        self._quantize = dtype == "int8"
        self._decoder = decoder
        self._max_positions = max_positions
        self._store = PackedStore(config.model_path, dtype, max_positions)
        self.num_mapped_bytes = 0  # of the weights, where they are mapped: they need memory too

    def load(self) -> FusedRunner | None:
        """From what an earlier start has kept. Raises ModelLoadError."""
        weights = self._store.load()
        if weights is None:
            return None
        self.num_mapped_bytes = sum(tensor.nbytes for tensor in weights.tensors.values())
        return self._make_runner(weights)

    def pack(self, model: Any, checked: "Checked") -> FusedRunner:
        """From a model, whose weights are freed. Raises ModelLoadError where its logits change."""
        from engine.load_check import check_packed

        weights = pack(model, quantize=self._quantize, max_positions=self._max_positions)
        runner = self._make_runner(weights)
        check_packed(model, runner, checked.reference, is_quantized=self._quantize)
        self._store.save(weights)
        # The same, but mapped as at the next start: what was packed in this process's own memory,
        # and all that was needed for it, can go.
        try:
            return self.load() or runner
        except ModelLoadError:  # no room for a second team of threads beside the first
            self.num_mapped_bytes = 0
            return runner

    def _make_runner(self, weights: PackedWeights) -> FusedRunner:
        try:
            decoder = make_decoder(
                self._decoder,
                weights,
                max_tokens=self._config.max_num_batched_tokens,
                max_positions=self._max_positions,
                num_threads=torch.get_num_threads(),
            )
        except (MemoryError, RuntimeError) as error:
            raise ModelLoadError(str(error)) from error
        return FusedRunner(decoder, max_prefix_tokens=self._config.max_prefix_tokens)
