"""Ending running requests from another one."""

from engine import Engine
from handlers.call import Call
from handlers.errors import NotRunningError
from handlers.running import RunningRequests


class StopHandlers:
    """Finds requests by the ids that clients gave them."""

    def __init__(self, engine: Engine, running: RunningRequests) -> None:
        self._engine = engine
        self._running = running

    async def stop(
        self, model_name: str, call: Call, model_version: str | None = None
    ) -> dict[str, str]:
        """End every request of that id. Raises NotRunningError where there is none."""
        client_id = call.payload["id"]
        request_ids = self._running.find(model_name, client_id)
        has_stopped = [await self._engine.cancel(request_id) for request_id in request_ids]
        if not any(has_stopped):
            raise NotRunningError("id: no request of this id is running")
        return {"id": client_id}
