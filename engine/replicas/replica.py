"""One replica as the front sees it: what is in flight there, and whether it is still there."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

from engine.mailbox import Mailbox
from engine.replicas.cluster import ReplicaLostError
from engine.replicas.host import Parcel, Reply
from engine.types import Chunk, GenerationRequest, ModelInfo

logger = logging.getLogger(__name__)

_POLL_SECONDS = 5.0  # until a replica that has nothing to say says so
_MISSED_POLLS = 6  # after which it is taken for lost


class Replica:
    """Talks to a ReplicaHost by its handle. Used in the event loop only.

    ``ask`` waits for the answer to a call, and raises ReplicaLostError where there will be none.
    """

    def __init__(self, handle: Any, ask: Callable[[Any], Awaitable[Any]]) -> None:
        self.handle = handle
        self._ask = ask
        self.models: tuple[ModelInfo, ...] = ()
        self._mailboxes: dict[str, Mailbox] = {}
        self._lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._polling: asyncio.Task[None] | None = None

    @property
    def num_in_flight(self) -> int:
        return len(self._mailboxes)

    @property
    def is_lost(self) -> bool:
        return self._lost.done()

    async def load(self) -> None:
        """Wait until it can answer. Raises ModelLoadError, ReplicaLostError."""
        self.models = _value(await self._ask(self.handle.load.remote()))
        self._polling = asyncio.create_task(self._poll())

    async def lost(self) -> str:
        """Return once it can never answer again, with the reason."""
        return await asyncio.shield(self._lost)

    def close(self, error: Exception, reason: str) -> None:
        """Take it for lost; whoever waits for it gets the error."""
        if not self._lost.done():
            self._lost.set_result(reason)
        if self._polling is not None:
            self._polling.cancel()
        for mailbox in self._mailboxes.values():
            mailbox.put(error)

    async def stream(
        self, request: GenerationRequest, resume: Sequence[int]
    ) -> AsyncIterator[list[Chunk]]:
        """Raises the errors of the replica's engine, and ReplicaLostError."""
        self._check()
        name, is_finished = request.request_id, False
        mailbox = self._mailboxes[name] = Mailbox()
        try:
            self.handle.submit.remote(request, tuple(resume))
            while not is_finished:
                chunks = await mailbox.get()
                is_finished = chunks[-1].finish_reason is not None
                yield chunks
        finally:
            del self._mailboxes[name]
            if not is_finished and not self.is_lost:
                self.handle.close.remote(name)

    async def call(self, name: str, *arguments: Any, **options: Any) -> Any:
        """The engine's answer. Raises its errors, and ReplicaLostError."""
        self._check()
        return _value(await self._ask(self.handle.call.remote(name, arguments, options)))

    async def _poll(self) -> None:
        try:
            while True:
                parcel = await self._next_parcel()
                self._take(parcel)
                if parcel.death is not None:
                    raise ReplicaLostError(parcel.death)
        except Exception as exc:
            if not isinstance(exc, ReplicaLostError):
                logger.exception("a replica cannot be listened to")
                exc = ReplicaLostError(type(exc).__name__)
            self._polling = None
            self.close(exc, str(exc))

    async def _next_parcel(self) -> Parcel:
        asking: asyncio.Future[Parcel] = asyncio.ensure_future(
            self._ask(self.handle.poll.remote(_POLL_SECONDS))
        )
        try:
            # Several times: where this process was stopped for a while, the first comes too early.
            for _ in range(_MISSED_POLLS):
                await asyncio.wait({asking}, timeout=_POLL_SECONDS)
                if asking.done():
                    return asking.result()
        finally:
            asking.cancel()
        raise ReplicaLostError("it does not answer")

    def _take(self, parcel: Parcel) -> None:
        for line in parcel.log:
            line.write()
        for delivery in parcel.deliveries:
            if (mailbox := self._mailboxes.get(delivery.request_id)) is None:
                continue
            for result in (*delivery.chunks, *([delivery.error] if delivery.error else ())):
                mailbox.put(result)

    def _check(self) -> None:
        if self._lost.done():
            raise ReplicaLostError(self._lost.result())


def _value(reply: Reply) -> Any:
    if reply.error is not None:
        raise reply.error
    return reply.value
