"""What the steps of the engine bring, and their counts."""

from dataclasses import dataclass, field

from engine.errors import EngineError
from engine.types import Chunk


@dataclass(frozen=True, slots=True)
class StepOutput:
    """What one step brought to one request: its next chunk, or the error that ended it."""

    request_id: str
    result: Chunk | EngineError

    @property
    def is_last(self) -> bool:
        return isinstance(self.result, EngineError) or self.result.finish_reason is not None


@dataclass(slots=True)
class Counters:
    num_finished: int = 0
    num_cancelled: int = 0
    num_failed: int = 0
    num_prompt_tokens: int = 0
    num_generated_tokens: int = 0
    num_steps: int = 0
    batch_sizes: dict[int, int] = field(default_factory=dict)  # sequences in a step: steps
