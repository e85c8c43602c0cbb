"""Streams as they come over a socket: each HTTP chunk by itself, and how they end."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.wire import Connection, Reply

STREAM = "/v2/models/fake/generate_stream"


@dataclass(frozen=True)
class Stream:
    """The body of a streamed answer: one entry for each chunk that the server wrote."""

    frames: list[bytes]
    is_complete: bool  # the final chunk came

    @property
    def events(self) -> list[Any]:
        """The JSON objects, of frames that are exactly as the contract has them."""
        return [parse_frame(frame) for frame in self.frames]

    @property
    def text(self) -> str:
        return "".join(event["text_output"] for event in self.events)


def parse_frame(frame: bytes) -> Any:
    assert frame.startswith(b"data:{")
    assert frame.endswith(b"}\n\n")
    assert frame.count(b"\n") == 2
    return json.loads(frame.removeprefix(b"data:"))


def read_head(connection: Connection) -> Reply:
    """The beginning of a streamed answer."""
    return connection.read(has_body=False)


def read_chunks(connection: Connection) -> Iterator[bytes]:
    """Each chunk; the last one is empty, and missing where the connection was cut."""
    while size := connection.read_line():
        chunk = connection.read_bytes(int(size, 16))
        connection.read_line()
        yield chunk
        if not chunk:
            return


def read_stream(connection: Connection) -> Stream:
    chunks = list(read_chunks(connection))
    is_complete = chunks[-1:] == [b""]
    return Stream(chunks[:-1] if is_complete else chunks, is_complete)
