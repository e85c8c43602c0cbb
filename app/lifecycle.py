"""From an open port to a loaded model, and from the signal to stop to the last answer."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from time import monotonic
from typing import Any

from engine import Engine, ModelInfo, ModelLoadError

logger = logging.getLogger(__name__)


class Lifecycle:
    """Starts and stops one engine around an ASGI application.

    ``on_ready`` is called once the engine has started. ``on_failure`` is called once when it cannot
    start, or has died; ``failure`` then says why. ``is_stuck`` says that something of it goes on,
    for which nobody must wait.
    ``show_loading`` makes a context that is open while the engine starts.
    """

    def __init__(self, engine: Engine, on_failure: Callable[[], None] = lambda: None) -> None:
        self._engine = engine
        self._is_draining = False
        self._has_stopped = False
        self.on_ready: Callable[[], None] = lambda: None
        self.on_failure = on_failure
        self.show_loading: Callable[[], AbstractContextManager[object]] = nullcontext
        self.failure: Exception | None = None
        self.is_stuck = False

    def is_draining(self) -> bool:
        """Whether new work is refused because the server shuts down."""
        return self._is_draining

    def has_failed(self) -> bool:
        """Whether this process will never answer again."""
        return self.failure is not None

    def begin_draining(self) -> None:
        self._is_draining = True

    @asynccontextmanager
    async def lifespan(self, _app: Any) -> AsyncIterator[None]:
        """Load in the background, so that the port opens at once; stop at the end."""
        starting = asyncio.create_task(self._start())
        try:
            yield
        finally:
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            await self.stop_engine()

    async def stop_engine(self) -> None:
        """End whatever still runs: each of those requests is answered 503."""
        if not self._has_stopped:
            self._has_stopped = True
            self.is_stuck = not await self._engine.stop()

    async def _start(self) -> None:
        names = ", ".join(model.name for model in self._engine.models())
        logger.info("loading: %s", names)
        started_at = monotonic()
        try:
            with self.show_loading():
                await self._engine.start()
        except Exception as exc:
            if not isinstance(exc, ModelLoadError):
                logger.exception("the engine failed to start")
            self._fail(exc)
        else:
            self.on_ready()
            told = ", ".join(_told(model) for model in self._engine.models())
            logger.info("ready after %.1f s: %s", monotonic() - started_at, told)
            self._fail(await self._engine.death())

    def _fail(self, reason: Exception) -> None:
        self.failure = reason
        self.on_failure()


def _told(model: ModelInfo) -> str:
    """A model, and what computes it: which that is decides what its answers depend on."""
    load = "" if model.is_load_invariant else "; answers can depend on load"
    return f"{model.name} ({model.dtype}, decoder {model.decoder}{load})"
