"""What a handler gets of a request beside its path."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request that the document has checked and completed.

    ``query`` holds the query parameters that the operation declares. ``ignored`` and ``capped``
    are the dotted names of fields without effect, and of those that were lowered to a limit.
    ``arrived_at`` is in seconds of ``time.monotonic``. ``receive`` is the ASGI channel after the
    body: all that is still to come on it is the client's disconnect.
    """

    payload: Mapping[str, Any]
    query: Mapping[str, Any]
    ignored: tuple[str, ...]
    capped: tuple[str, ...]
    arrived_at: float
    receive: Callable[[], Awaitable[MutableMapping[str, Any]]]

    async def disconnected(self) -> None:
        """Return once the client has gone."""
        while (await self.receive())["type"] != "http.disconnect":
            pass
