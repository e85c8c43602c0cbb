"""A connection as the code that writes one answer sees it."""

import asyncio
from collections.abc import Callable


class AnswerTransport(asyncio.Transport):
    """Writes to a connection, whose protocol decides how it is closed."""

    def __init__(self, transport: asyncio.Transport, close: Callable[[], None]) -> None:
        super().__init__()
        self._transport = transport
        self._close = close

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._transport.write(data)

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def close(self) -> None:
        self._close()
