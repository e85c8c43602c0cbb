"""Server-sent events: one frame an event, as soon as it is there, in a write of its own.

A stream that fails ends with an error event and a cut connection: several clients take any last
event for a good end, and only a missing final chunk tells them apart.
"""

import asyncio
import logging
from collections import deque
from typing import Any

from starlette.types import Message, Receive, Scope, Send

from app.connection import connection_of
from app.errors import ERROR_TYPES, to_http_error
from app.json_text import to_json
from app.request_id import SCOPE_KEY
from handlers import EventStream

logger = logging.getLogger(__name__)

MAX_DRAIN_SECONDS = 60.0  # for a reader to take what is left after the generation has ended
# Between the reason of a failure and the cut: browsers drop what they have not handed on by then.
SECONDS_BEFORE_CUT = 0.2

_HEADERS = (
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # proxies would hold frames back
)


class StreamCutError(Exception):
    """The stream failed where no connection of ours can be cut: the server has to do it."""


def frame(event: dict[str, Any]) -> bytes:
    """The bytes of one event; JSON has no line breaks of its own."""
    return b"data:" + to_json(event) + b"\n\n"


class EventSender:
    """Sends one stream. A task pulls the events, so that a slow reader never holds them up.

    At most ``max_backlog`` frames wait for the reader; one more ends the generation and the
    connection.
    """

    def __init__(self, events: EventStream, max_backlog: int, scope: Scope) -> None:
        self._events = events
        self._max_backlog = max_backlog
        self._name = scope.get(SCOPE_KEY, "")
        self._connection = connection_of(scope)
        self._frames: deque[bytes] = deque()
        self._has_news = asyncio.Event()
        self._is_over = False  # no more frames come
        self._is_complete = False  # and the last one was the generation's own
        self._drain_timer: asyncio.TimerHandle | None = None

    async def send_all(self, receive: Receive, send: Send) -> None:
        """Send the stream to its end. The generation has ended when this returns."""
        await send({"type": "http.response.start", "status": 200, "headers": [*_HEADERS]})
        pulling = asyncio.create_task(self._pull())
        leaving = asyncio.create_task(_disconnected(receive))
        leaving.add_done_callback(lambda _: pulling.cancel())
        try:
            await self._send_frames(send)
        finally:
            pulling.cancel()
            leaving.cancel()
            await asyncio.gather(pulling, leaving, return_exceptions=True)
            if self._drain_timer is not None:
                self._drain_timer.cancel()
            await self._events.close()

    async def _pull(self) -> None:
        try:
            async for event in self._events:
                if len(self._frames) >= self._max_backlog:
                    # Events that had all come already: it is the sender's turn.
                    await asyncio.sleep(0)
                if len(self._frames) >= self._max_backlog:
                    self._give_up("the reader is too slow")
                    return
                self._add(frame(event))
            self._is_complete = True
        except Exception as exc:
            self._add(self._error_frame(exc))
        finally:
            self._is_over = True
            self._has_news.set()
            self._drain_timer = asyncio.get_running_loop().call_later(
                MAX_DRAIN_SECONDS, self._give_up, "the reader takes nothing more"
            )
            await self._events.close()

    def _add(self, raw: bytes) -> None:
        self._frames.append(raw)
        self._has_news.set()

    async def _send_frames(self, send: Send) -> None:
        while self._frames or not self._is_over:
            while self._frames:
                await send(_body(self._frames.popleft(), more=True))
            if not self._is_over:
                self._has_news.clear()
                await self._has_news.wait()
        if self._is_complete:
            await send(_body(b"", more=False))
        else:
            await asyncio.sleep(SECONDS_BEFORE_CUT)
            self._cut()

    def _cut(self) -> None:
        if self._connection is None:
            raise StreamCutError
        self._connection.hang_up()

    def _give_up(self, reason: str) -> None:
        logger.warning("%s ended: %s", self._name, reason)
        self._frames.clear()
        if self._connection is not None:
            self._connection.abort()

    def _error_frame(self, exc: Exception) -> bytes:
        error = to_http_error(exc)
        if error.status == 500:
            logger.error("%s failed", self._name, exc_info=exc)
        content = {"error": error.message, "error_type": ERROR_TYPES[error.status]}
        return frame({"text_output": "", **content})


def _body(raw: bytes, *, more: bool) -> Message:
    return {"type": "http.response.body", "body": raw, "more_body": more}


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
