"""The generate operations: one request in, one whole answer or its events out."""

from typing import Any

from handlers.answer import Answering
from handlers.call import Call
from handlers.events import EventStream
from handlers.generations import Generations
from handlers.request import to_request


class GenerateHandlers:
    """Continue a text."""

    def __init__(self, generations: Generations) -> None:
        self._generations = generations

    async def generate(
        self, model_name: str, call: Call, model_version: str | None = None
    ) -> dict[str, Any]:
        """Answer with the whole text, or cancel when the client leaves or the time is over.

        A dry run is answered with what would apply.
        """
        request = to_request(call.payload, call.payload["text_input"], model_name)
        answering = Answering(call.payload, request, model_version)
        if call.query["dry_run"]:
            return answering.dry_run(await self._generations.plan(request, call), call)
        return answering.answer(await self._generations.collect(request, call))

    async def generate_stream(
        self, model_name: str, call: Call, model_version: str | None = None
    ) -> EventStream:
        """Return when the first token is there; what fails before is raised here."""
        request = to_request(call.payload, call.payload["text_input"], model_name)
        answering = Answering(call.payload, request, model_version)
        return EventStream(await self._generations.stream(request, call), answering)
