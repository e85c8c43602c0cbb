"""What runs in the process of a replica: one engine, for a front in another process.

Nothing in here knows how the calls come from one process into the other.
"""

import asyncio
import gc
import logging
import os
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, cast

from engine.config import EngineConfig
from engine.errors import EngineError
from engine.local import LocalEngine
from engine.mock import MockConfig, MockEngine
from engine.protocol import Engine
from engine.replicas.forwarded_log import ForwardedLog, LogLine
from engine.replicas.outbox import Delivery, Outbox
from engine.types import Chunk, GenerationRequest

logger = logging.getLogger(__name__)

ReplicaConfig = EngineConfig | MockConfig

_SECONDS_BETWEEN_MESSAGES = 0.02
_CALLS = frozenset({"plan", "cancel", "tokenize", "detokenize", "detect_watermark", "stats"})


class ReplicaError(Exception):
    """A fault of ours in a replica: no error of an engine, so its name is all that is told."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a call gave; where ``error`` is set, it raised that."""

    value: Any = None
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class Parcel:
    """Everything that a replica has to say; ``death`` that it will never compute again, and why."""

    deliveries: tuple[Delivery, ...]
    log: tuple[LogLine, ...]
    death: str | None


class ReplicaHost:
    """Computes what is submitted; ``poll``, asked again and again, brings what comes of it.

    ``num_sharing`` replicas, this one included, share the machine.
    """

    def __init__(self, config: ReplicaConfig, num_sharing: int) -> None:
        self._log = ForwardedLog()
        self._engine = make_engine(config, num_sharing)
        self._outbox = Outbox(_SECONDS_BETWEEN_MESSAGES)
        self._streams: dict[str, asyncio.Task[None]] = {}
        self._dying: asyncio.Task[Exception] | None = None

    async def load(self) -> Reply:
        """Start the engine: its models as they are loaded, or a ModelLoadError."""
        try:
            await self._engine.start()
        except Exception as exc:
            return Reply(error=_portable(exc))
        self._dying = asyncio.create_task(_death(self._engine))
        return Reply(tuple(self._engine.models()))

    async def submit(self, request: GenerationRequest, resume: Sequence[int]) -> None:
        """Begin to generate."""
        task = asyncio.create_task(self._run(request, resume))
        self._streams[request.request_id] = task

    async def close(self, request_id: str) -> None:
        """Nobody waits for the request any more."""
        if (task := self._streams.get(request_id)) is not None:
            task.cancel()

    async def call(self, name: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Reply:
        """Ask the engine something that is answered once."""
        if name not in _CALLS:
            raise ValueError(f"{name} cannot be called")
        try:
            return Reply(await getattr(self._engine, name)(*arguments, **options))
        except Exception as exc:
            return Reply(error=_portable(exc))

    async def poll(self, patience: float) -> Parcel:
        """What there is to say, nothing after so many seconds at the latest."""
        deliveries = await self._outbox.take(patience)
        is_dead = self._dying is not None and self._dying.done()
        death = str(self._dying.result()) if self._dying is not None and is_dead else None
        return Parcel(deliveries, self._log.take(), death)

    async def _run(self, request: GenerationRequest, resume: Sequence[int]) -> None:
        name, is_first = request.request_id, True
        stream = cast(
            AsyncGenerator[list[Chunk], None], self._engine.stream(request, resume=resume)
        )
        try:
            async with aclosing(stream):
                async for chunks in stream:
                    self._outbox.put(name, chunks, is_urgent=is_first)
                    is_first = False
        except Exception as exc:
            self._outbox.fail(name, _portable(exc))
        finally:
            del self._streams[name]


class ReplicaProcess(ReplicaHost):
    """The same with a process to itself."""

    def __init__(self, config: ReplicaConfig, num_sharing: int) -> None:
        # Before torch is imported: threads that spin slow down the replicas beside this one.
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        super().__init__(config, num_sharing)
        self._log.begin()

    async def load(self) -> Reply:
        reply = await super().load()
        gc.freeze()  # what stays is not searched for garbage again and again
        return reply


def make_engine(config: ReplicaConfig, num_sharing: int) -> Engine:
    """The engine of a replica that has its share of the machine."""
    if isinstance(config, MockConfig):
        return MockEngine(config)
    return LocalEngine(share_of(config, num_sharing))


def share_of(config: EngineConfig, num_sharing: int) -> EngineConfig:
    """Of the cores and the free memory of this machine, where nothing is set."""
    num_cores = len(os.sched_getaffinity(0))
    return replace(
        config,
        num_threads=config.num_threads or max(1, num_cores // num_sharing),
        kv_memory_fraction=config.kv_memory_fraction / num_sharing,
    )


async def _death(engine: Engine) -> Exception:
    return await engine.death()


def _portable(exc: Exception) -> Exception:
    """The error as it may leave this process; what nobody expected stays here, in the log."""
    if isinstance(exc, EngineError):
        return exc
    logger.error("a fault in a replica", exc_info=exc)
    return ReplicaError(type(exc).__name__)
