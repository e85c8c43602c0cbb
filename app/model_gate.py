"""Refusals that do not need the body: an unknown model or version, a server on its way out."""

from collections.abc import Callable, Mapping
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from engine import Engine, EngineUnavailableError, ModelNotFoundError


class ModelGateMiddleware:
    """Stands after routing and before anything reads the body.

    Raises ModelNotFoundError, or EngineUnavailableError for new work while draining.
    """

    def __init__(self, app: ASGIApp, engine: Engine, is_draining: Callable[[], bool]) -> None:
        self._app = app
        self._engine = engine
        self._is_draining = is_draining

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            self._check_model(scope.get("path_params", {}))
            if scope["method"] == "POST" and self._is_draining():
                raise EngineUnavailableError("the server is shutting down")
        await self._app(scope, receive, send)

    def _check_model(self, path_params: Mapping[str, Any]) -> None:
        name = path_params.get("model_name")
        if name is None:
            return
        versions = {model.version for model in self._engine.models() if model.name == name}
        if not versions:
            raise ModelNotFoundError("model_name: no such model is served here")
        if path_params.get("model_version", None) not in {None, *versions}:
            raise ModelNotFoundError("model_version: the model has no such version")
