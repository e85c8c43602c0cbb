"""What the engine core needs of whatever computes the model."""

from collections.abc import Sequence as Sequences
from typing import Protocol

from torch import Tensor

from engine.scheduler import Span
from engine.sequence import Sequence


class Runner(Protocol):
    """What the engine core needs of a model."""

    def forward(self, spans: Sequences[Span]) -> Tensor: ...

    def admit(self, sequence: Sequence) -> None: ...

    def release(self, sequence: Sequence) -> None: ...

    @property
    def is_batch_invariant(self) -> bool:
        """Whether a row's logits depend on nothing that is computed beside it."""
        ...

    @property
    def num_reused_tokens(self) -> int: ...

    @property
    def num_cached_tokens(self) -> int: ...

    @property
    def kv_bytes_per_token(self) -> int: ...
