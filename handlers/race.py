"""Work that is worth doing only while a client waits for it."""

import asyncio
from collections.abc import Coroutine
from time import monotonic
from typing import Any, TypeVar

from engine import RequestTimeoutError
from handlers.call import Call

T = TypeVar("T")


class ClientGoneError(Exception):
    """The client left before its answer; there is nobody to tell."""


async def race(work: Coroutine[Any, Any, T], call: Call, time_limit: float) -> T:
    """The result of ``work``, which is cancelled, and has ended, whatever else happens.

    ``time_limit`` is in seconds from the arrival of the request. Raises ClientGoneError,
    RequestTimeoutError, or what ``work`` raises.
    """
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(call.disconnected())
    try:
        await asyncio.wait(
            {working, leaving},
            timeout=max(0.0, call.arrived_at + time_limit - monotonic()),
            return_when=asyncio.FIRST_COMPLETED,
        )
        if working.done():
            return working.result()
        if leaving.done():
            raise ClientGoneError
        raise timeout_error(time_limit)
    finally:
        leaving.cancel()
        working.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


def timeout_error(time_limit: float) -> RequestTimeoutError:
    """``time_limit`` is in seconds."""
    return RequestTimeoutError(f"no answer within the time limit of {time_limit:g} seconds")
