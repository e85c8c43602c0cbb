"""The real engine around a runner that fails when a test, or a request's seed, says so."""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from engine import EngineConfig, LocalEngine

if TYPE_CHECKING:  # torch is imported by the engine's thread
    from torch import Tensor

    from engine.core import EngineCore
    from engine.runner import Runner
    from engine.scheduler import Span
    from engine.sequence import Sequence as TokenSequence

Fault = Callable[[Sequence["Span"]], None]  # looks at a step, and may raise, or never return

SEED_OF_EXCEPTION = 666_001
SEED_OF_MEMORY = 666_002  # there is none for this request and another one in the same step
SEED_OF_NAN = 666_003
SEED_OF_HANG = 666_004


class FaultyRunner:
    """A runner: whatever it does not do is done by the real one."""

    def __init__(self, runner: "Runner", fault: Fault) -> None:
        self._runner = runner
        self._fault = fault

    def __getattr__(self, name: str) -> object:
        return getattr(self._runner, name)

    def forward(self, spans: Sequence["Span"]) -> "Tensor":
        self._fault(spans)
        picking = [span.sequence for span in spans if span.is_last_of_known_tokens]
        logits = self._runner.forward(spans).clone()
        for row, sequence in enumerate(picking):
            if sequence.sampling_params.seed == SEED_OF_NAN and sequence.num_output_tokens == 3:
                logits[row] = float("nan")
        return logits


class FaultyEngine(LocalEngine):
    """``fault`` may be set at any time, and sees every step."""

    def __init__(self, config: EngineConfig) -> None:
        super().__init__(config)
        self.fault: Fault = fault_by_seed

    def _build_core(self) -> "EngineCore":
        core = super()._build_core()
        core._runner = FaultyRunner(core._runner, lambda spans: self.fault(spans))  # type: ignore[assignment]
        return core


def fault_by_seed(spans: Sequence["Span"]) -> None:
    seeds = {span.sequence.sampling_params.seed for span in spans}
    if SEED_OF_EXCEPTION in seeds:
        raise RuntimeError("a fault of the model")
    if SEED_OF_HANG in seeds:
        threading.Event().wait()
    if SEED_OF_MEMORY in seeds and len(spans) > 1:
        allocate_too_much()


def allocate_too_much() -> None:
    """Fails as torch fails where memory runs out."""
    import torch

    torch.empty(2**55, dtype=torch.uint8)


def sequences_of(spans: Sequence["Span"]) -> list["TokenSequence"]:
    return [span.sequence for span in spans]
