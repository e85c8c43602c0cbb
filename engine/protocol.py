"""The boundary that handlers know: any engine that keeps this protocol can stand behind them."""

from collections.abc import AsyncIterator, Sequence
from typing import Protocol

from engine.errors import EngineUnavailableError
from engine.types import (
    Chunk,
    EngineStats,
    GenerationPlan,
    GenerationRequest,
    ModelInfo,
    TokenizedText,
    WatermarkDetection,
)


class Engine(Protocol):
    """A text-generation engine serving one or more models."""

    def models(self) -> Sequence[ModelInfo]:
        """Facts of every model served, available before they are loaded."""
        ...

    async def start(self) -> None:
        """Load the models; returns when they can answer. Raises ModelLoadError."""
        ...

    async def stop(self) -> bool:
        """End every generation with EngineUnavailableError and free the models.

        False where something goes on that cannot be ended: the process must not wait for it.
        """
        ...

    async def death(self) -> EngineUnavailableError:
        """Return once the engine can never answer again, with the reason."""
        ...

    async def ready(self, model: str | None = None) -> bool:
        """Whether that model, or every model, can answer now."""
        ...

    def stream(
        self, request: GenerationRequest, *, resume: Sequence[int] = ()
    ) -> AsyncIterator[list[Chunk]]:
        """Generate. Closing the iterator ends the work within one token.

        ``resume`` holds output tokens that the caller already has: generation goes on after them
        and yields only what follows. Refusals are raised by the first ``anext``:
        InvalidRequestError, ModelNotFoundError, EngineOverloadedError, EngineUnavailableError;
        later ones may be GenerationError and EngineUnavailableError.
        """
        ...

    async def plan(self, request: GenerationRequest) -> GenerationPlan:
        """What ``stream`` would do, which is not begun; raises its refusals but for the load."""
        ...

    async def cancel(self, request_id: str) -> bool:
        """End that request; its stream yields a last chunk. False where it is not running."""
        ...

    async def tokenize(self, model: str, text: str) -> TokenizedText:
        """The text as a prompt in tokens. Raises ModelNotFoundError, EngineUnavailableError."""
        ...

    async def detokenize(
        self, model: str, token_ids: Sequence[int], *, skip_special_tokens: bool
    ) -> str:
        """The text of tokens. Raises InvalidRequestError as well, for an unknown id."""
        ...

    async def detect_watermark(self, model: str, text: str) -> WatermarkDetection:
        """Score a text. Raises InvalidRequestError as well, for too many tokens."""
        ...

    async def stats(self) -> EngineStats:
        """A snapshot of the load."""
        ...
