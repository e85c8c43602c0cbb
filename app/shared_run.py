"""One run of a handler, for every client that waits for its answer."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.types import Message, Receive, Send

from handlers import ClientGoneError


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer, as ASGI messages."""

    start: Message
    body: bytes

    async def send(self, send: Send, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        """Give it to one client, with these headers besides."""
        await send({**self.start, "headers": [*self.start["headers"], *headers]})
        await send({"type": "http.response.body", "body": self.body})


class SharedRun:
    """Runs ``work`` at once, in a task of its own: it outlives the client that it began for.

    ``work`` gets a ``receive`` that tells of a disconnect once every client has left, and a
    ``send`` for its answer.
    """

    def __init__(self, work: Callable[[Receive, Send], Awaitable[None]]) -> None:
        self._work = work
        self._messages: list[Message] = []
        self._num_waiting = 0
        self._abandoned = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def on_end(self, tell: Callable[[Answer | None], None]) -> None:
        """Have ``tell`` called when the answer is there; with None where the work has failed."""
        self._task.add_done_callback(
            lambda task: tell(None if task.cancelled() or task.exception() else task.result())
        )

    @property
    def is_abandoned(self) -> bool:
        """Whether it comes to no answer any more, since nobody waits for it."""
        return self._abandoned.is_set()

    async def wait(self, receive: Receive) -> Answer:
        """The answer, for a client that may leave: ClientGoneError. Raises what the work raises."""
        self._num_waiting += 1
        leaving = asyncio.create_task(_disconnected(receive))
        try:
            await asyncio.wait({self._task, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if self._task.done():
                return self._task.result()
            raise ClientGoneError
        finally:
            leaving.cancel()
            self._num_waiting -= 1
            if self._num_waiting == 0:
                self._abandoned.set()

    async def _run(self) -> Answer:
        await self._work(self._receive, self._send)
        start, *parts = self._messages
        return Answer(start, b"".join(part.get("body", b"") for part in parts))

    async def _receive(self) -> Message:
        await self._abandoned.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        self._messages.append(message)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
