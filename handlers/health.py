"""Whether the process lives, and whether it can answer."""

from collections.abc import Callable

from engine import Engine, EngineUnavailableError


class HealthHandlers:
    """``is_draining`` says whether the server has begun to shut down, ``has_failed`` whether its
    engine will never answer again."""

    def __init__(
        self, engine: Engine, is_draining: Callable[[], bool], has_failed: Callable[[], bool]
    ) -> None:
        self._engine = engine
        self._is_draining = is_draining
        self._has_failed = has_failed

    async def live(self) -> dict[str, bool]:
        """Raises EngineUnavailableError where only another process can help."""
        if self._has_failed():
            raise EngineUnavailableError("the engine has failed, and the server ends")
        return {"live": True}

    async def ready(self) -> dict[str, bool]:
        await self._check(None)
        return {"ready": True}

    async def model_ready(
        self, model_name: str, model_version: str | None = None
    ) -> dict[str, bool]:
        await self._check(model_name)
        return {"ready": True}

    async def _check(self, model_name: str | None) -> None:
        """Raises EngineUnavailableError, which is the answer of a server that is not ready."""
        if self._is_draining():
            raise EngineUnavailableError("the server is shutting down")
        if not await self._engine.ready(model_name):
            raise EngineUnavailableError("the model is not ready")
