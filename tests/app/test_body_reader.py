"""What all bodies together may take while they arrive."""

import asyncio
from typing import Any

import pytest

from app.body_reader import BodyReader
from app.errors import HttpError
from handlers import ClientGoneError

SCOPE: dict[str, Any] = {"headers": []}


class Body:
    """A body of which parts come when the test says so."""

    def __init__(self, reader: BodyReader) -> None:
        self._messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.read = asyncio.ensure_future(reader.read(SCOPE, self._messages.get))

    async def send(self, num_bytes: int, *, more: bool = True) -> None:
        message = {"type": "http.request", "body": b"x" * num_bytes, "more_body": more}
        await self._messages.put(message)
        await asyncio.sleep(0.01)

    async def leave(self) -> None:
        await self._messages.put({"type": "http.disconnect"})
        await asyncio.sleep(0.01)


async def test_bodies_that_do_not_end_take_a_bounded_memory_together() -> None:
    reader = BodyReader(max_bytes=100, max_arriving_bytes=250)
    bodies = [Body(reader) for _ in range(3)]
    for body in bodies[:2]:
        await body.send(100)
    await bodies[2].send(51)

    with pytest.raises(HttpError) as raised:
        await bodies[2].read
    assert (raised.value.status, raised.value.headers) == (503, {"Retry-After": "1"})

    await bodies[0].send(0, more=False)
    await bodies[1].leave()
    assert len(await bodies[0].read) == 100
    with pytest.raises(ClientGoneError):
        await bodies[1].read
    late = [Body(reader) for _ in range(2)]  # all room is there again
    for body in late:
        await body.send(100)
        await body.send(0, more=False)
    assert [len(await body.read) for body in late] == [100, 100]


async def test_a_body_that_is_too_large_gives_its_room_back() -> None:
    reader = BodyReader(max_bytes=100, max_arriving_bytes=100)
    for _ in range(3):
        body = Body(reader)
        await body.send(101)
        with pytest.raises(HttpError, match="larger than 100 bytes"):
            await body.read


async def test_the_longest_body_has_its_place_whatever_the_setting() -> None:
    body = Body(BodyReader(max_bytes=100, max_arriving_bytes=1))
    await body.send(100, more=False)
    assert len(await body.read) == 100
