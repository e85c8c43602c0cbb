"""uvicorn's HTTP/1.1 protocol with limits on headers and time, and errors in our shape.

uvicorn bounds neither the size of a header nor how long a client may take to send one, and
answers what is not HTTP in plain text.
"""

import asyncio
import logging
from typing import Any

import httptools

from app.connection import offer, reset
from app.errors import HttpError
from app.lingering_protocol import MAX_DISCARDED_BYTES, LingeringProtocol
from app.pipelined_protocol import MAX_PIPELINED
from app.raw_answer import raw_answer
from app.request_head import NOT_HTTP, checked_target
from app.request_id import request_id
from app.telemetry.logs import FIELDS

logger = logging.getLogger(__name__)

TOO_MANY_PIPELINED = "too many requests wait on this connection for the answers before theirs"

# Bytes are parsed in pieces of so many at most, since what is in them is only known afterwards.
PIECE_BYTES = 16 * 1024
# What goes with each piece of a body for nothing: the line with its size, and its end.
CHUNK_FRAME_BYTES = 32


class JSONProtocol(LingeringProtocol):
    """One connection."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._refusal: HttpError | None = None
        self._last_word: HttpError | None = None  # refuses the request after those being answered

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.limits.max_connections:
            # Told when it asks: closing before it has sent its request would reset it instead.
            self._refusal = HttpError(503, "too many connections", {"Retry-After": "1"})
        self._start_timer(self.limits.header_timeout)

    def data_received(self, data: bytes) -> None:
        if self._has_hung_up:
            self._discard(data)
        if self._is_deaf():
            return
        self._unset_keepalive_if_required()
        if self._refusal is not None:
            self._refuse(self._refusal)
            return
        if self._is_reading_headers:
            self._expect_headers()
        for start in range(0, len(data), PIECE_BYTES):
            self._read(data[start : start + PIECE_BYTES])
            if self._is_deaf():
                return

    def _is_deaf(self) -> bool:
        """Whether nothing that the client says is listened to any more."""
        is_refused = self._has_hung_up or self._last_word is not None
        return is_refused or self.transport.is_closing()

    def _read(self, data: bytes) -> None:
        self._num_header_bytes += len(data)
        try:
            self._feed(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._refuse(self._refusal or HttpError(400, NOT_HTTP))
        if self._num_header_bytes > self.limits.max_header_bytes:
            self._refuse(self._headers_too_large())

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_reading_headers = True
        self._num_discarded_bytes = 0
        self._expect_headers()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A trailer says nothing: as a header it could go around what has looked at those."""
        if self._is_reading_headers:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        try:
            self._check_head()
        except HttpError as refusal:
            self._refusal = refusal  # ends in _read, as an error of the parser
            raise
        self._is_reading_headers = False
        self._num_header_bytes = 0
        self._start_timer(self.limits.body_timeout)
        offer(self.scope, self)  # type: ignore[arg-type]
        super().on_headers_complete()

    def _check_head(self) -> None:
        num_bytes = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if num_bytes > self.limits.max_header_bytes:
            raise self._headers_too_large()
        self.url = checked_target(self.parser.get_http_version(), self.url, self.headers)
        if len(self.pipeline) >= MAX_PIPELINED:
            raise HttpError(503, TOO_MANY_PIPELINED, {"Retry-After": "1"})

    def on_body(self, body: bytes) -> None:
        num_bytes = len(body) + CHUNK_FRAME_BYTES
        self._num_header_bytes = max(0, self._num_header_bytes - num_bytes)
        if self.cycle.response_complete:
            self._num_discarded_bytes += len(body)
            if self._num_discarded_bytes > MAX_DISCARDED_BYTES:
                self._close()
            return
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._stop_timer()
        super().on_message_complete()
        self._is_reading_headers = True
        self._num_header_bytes = 0
        if not self.parser.should_keep_alive():  # a trailer can say so, too
            self.cycle.keep_alive = False
        if self.cycle.response_complete and not self.transport.is_closing():
            if self.cycle.keep_alive:
                self._wait_for_next_request()
            else:
                self._close_or_hang_up()

    def on_response_complete(self) -> None:
        was_last = not self.pipeline
        super().on_response_complete()
        has_ended = self._has_hung_up or self.transport.is_closing()
        if was_last and self._last_word is not None and not has_ended:
            self._unset_keepalive_if_required()
            self._answer(self._last_word)

    def hang_up(self) -> None:
        """End the connection after what was sent, without an end of the answer."""
        self._hang_up()

    def abort(self) -> None:
        """End the connection at once; what the client has not taken yet is lost."""
        if self in self.connections:
            reset(self.transport)

    def _feed(self, data: bytes) -> None:
        self.parser.feed_data(data)

    def _on_timeout(self) -> None:
        if self._is_serving_an_earlier_request():  # its answer comes first, however long it takes
            self._start_timer(self.limits.header_timeout)
        elif self._is_reading_headers and self._num_header_bytes == 0:
            self.transport.close()  # connected, and never said a word
        else:
            part = "headers" if self._is_reading_headers else "body"
            self._refuse(HttpError(408, f"the {part} of the request took too long to arrive"))

    def _is_serving_an_earlier_request(self) -> bool:
        if self._is_reading_headers:
            return self.cycle is not None and not self.cycle.response_complete
        return bool(self.pipeline)

    def _headers_too_large(self) -> HttpError:
        return HttpError(431, f"the headers are larger than {self.limits.max_header_bytes} bytes")

    def _refuse(self, error: HttpError) -> None:
        """Answer without the application, unless its own answer has begun, and hang up.

        Requests before this one are answered first.
        """
        if self._is_deaf():
            return
        if self._is_serving_an_earlier_request():
            self._last_word = error
            self._stop_timer()
            if not self._is_reading_headers:
                self.pipeline.popleft()  # this one, whose body will never be whole
        elif self._is_reading_headers or not self.cycle.response_started:
            self._answer(error)
        else:
            self._hang_up()

    def _answer(self, error: HttpError) -> None:
        """Write the last answer of this connection."""
        name = request_id(self.headers or ())
        fields = {"request_id": name.decode(), "status": error.status}
        logger.warning("refused: %s", error.message, extra={FIELDS: fields})
        self.transport.write(raw_answer(error, name, self.server_state.default_headers))
        self._hang_up()
