"""The replicas of a RayEngine without Ray: in this process, and everything crosses as bytes."""

import asyncio
import pickle
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from engine import RayEngine
from engine.replicas.cluster import Cluster, ReplicaLostError
from engine.replicas.host import ReplicaConfig, ReplicaHost


class Handle:
    """What a handle of Ray is to the front. A call of a killed replica is answered with its loss;
    one of a frozen replica never."""

    def __init__(self, config: ReplicaConfig, num_sharing: int, loads: bool) -> None:
        self.host = ReplicaHost(config, num_sharing)
        self.is_killed = False
        self.is_frozen = False
        self.num_messages = 0
        self._loads = loads
        self._calls: set[asyncio.Future[Any]] = set()

    def __getattr__(self, name: str) -> "Method":
        return Method(self, name)

    def begin_call(self, name: str, arguments: bytes) -> Awaitable[Any]:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self.is_killed or (name == "load" and not self._loads):
            answer.set_exception(ReplicaLostError("killed"))
        elif not self.is_frozen:
            self._calls.add(answer)
            task = asyncio.ensure_future(getattr(self.host, name)(*pickle.loads(arguments)))
            task.add_done_callback(lambda done: self._reply(answer, done))
        return answer

    def kill(self) -> None:
        """As SIGKILL does: no answer, and nothing more is computed."""
        self.is_killed = True
        for task in self.host._streams.values():
            task.cancel()
        for answer in self._calls:
            if not answer.done():
                answer.set_exception(ReplicaLostError("killed"))

    def _reply(self, answer: "asyncio.Future[Any]", done: "asyncio.Future[Any]") -> None:
        self.num_messages += 1
        self._calls.discard(answer)
        if not answer.done() and not done.cancelled():
            answer.set_result(pickle.loads(pickle.dumps(done.result())))


class Method:
    def __init__(self, handle: Handle, name: str) -> None:
        self._handle = handle
        self._name = name

    def remote(self, *arguments: Any) -> Awaitable[Any]:
        return self._handle.begin_call(self._name, pickle.dumps(arguments))


class InProcessCluster:
    """``loads`` turns false for replicas that are lost whenever they load, and ``is_over`` true
    where Ray has ended."""

    def __init__(self) -> None:
        self.loads = True
        self.is_over = False
        self.handles: list[Handle] = []
        self.thread = ThreadPoolExecutor(1)

    def start(self) -> None:
        pass

    def has_ended(self) -> bool:
        return self.is_over

    def begin(self, config: ReplicaConfig, num_replicas: int) -> Handle:
        self.handles.append(Handle(config, num_replicas, self.loads))
        return self.handles[-1]

    def end(self, handle: Handle) -> None:
        handle.is_killed = True

    def stop(self) -> None:
        pass

    @staticmethod
    async def answer(reference: Awaitable[Any]) -> Any:
        return await reference


def in_process(config: ReplicaConfig, num_replicas: int) -> tuple[RayEngine, InProcessCluster]:
    """An engine that is not started yet."""
    engine, cluster = RayEngine(config, num_replicas, None), InProcessCluster()
    engine._cluster = cast(Cluster, cluster)
    return engine, cluster
