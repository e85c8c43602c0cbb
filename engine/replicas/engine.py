"""Several engines, each in a process of its own, behind one Engine."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, TypeVar, cast

from engine.errors import NOT_READY, EngineUnavailableError, ModelLoadError, ModelNotFoundError
from engine.replicas.cluster import Cluster, ReplicaLostError
from engine.replicas.flights import Flights
from engine.replicas.host import ReplicaConfig, make_engine
from engine.replicas.pool import Pool
from engine.replicas.replica import Replica
from engine.replicas.totals import NOTHING, total, without_present
from engine.types import (
    Chunk,
    EngineStats,
    GenerationPlan,
    GenerationRequest,
    ModelInfo,
    TokenizedText,
    WatermarkDetection,
)

T = TypeVar("T")

_ATTEMPTS = 3  # of a question, each at a replica that is there
_STATS_SECONDS = 2.0  # then a replica's load is what it was the last time
_STOP_SECONDS = 20.0
_SECONDS_BETWEEN_LOOKS = 1.0  # at Ray itself


class RayEngine:
    """Serves one model with replicas that Ray runs; keeps the Engine protocol.

    A request goes to the replica with the least in flight. Where a replica is lost, its requests
    go on at another one after the tokens that their clients have; since a draw depends on the
    seed and its place alone, with the same text. ``address`` is of a Ray that runs already; without
    it, one is started on this machine, and ends with this engine.
    """

    def __init__(self, config: ReplicaConfig, num_replicas: int, address: str | None) -> None:
        self._config = config
        self._num_replicas = num_replicas
        self._models = tuple(make_engine(config, num_replicas).models())
        self._cluster = Cluster(address)
        self._pool = Pool(num_replicas, self._begin, self._end)
        self._flights = Flights(self._pool)
        self._latest: dict[Replica, EngineStats] = {}
        self._past = NOTHING  # of replicas that are lost
        self._is_stopping = False
        self._watching: asyncio.Task[None] | None = None

    def models(self) -> Sequence[ModelInfo]:
        """With the limits of all replicas together, and what they are once they are loaded."""
        loaded = [replica.models for replica in self._pool.ready]
        if loaded:
            self._models = tuple(_agreed(same) for same in zip(*loaded, strict=True))
        return [
            replace(
                model,
                max_num_seqs=model.max_num_seqs * self._num_replicas,
                max_waiting=model.max_waiting * self._num_replicas,
            )
            for model in self._models
        ]

    async def start(self) -> None:
        try:
            await self._in_thread(self._cluster.start)
            self._watching = asyncio.create_task(self._watch())
            await self._unless_dead(self._pool.start())
        except Exception:
            if self._is_stopping:  # meanwhile: what it says is of no interest
                return
            await self.stop()
            raise

    async def stop(self) -> bool:
        if self._is_stopping:
            return True
        self._is_stopping = True
        self._pool.stop()
        if self._watching is not None:
            self._watching.cancel()
        try:
            async with asyncio.timeout(_STOP_SECONDS):
                await self._in_thread(self._cluster.stop)
        except TimeoutError:
            return False
        finally:
            self._cluster.thread.shutdown(wait=False)
        return True

    async def death(self) -> EngineUnavailableError:
        return await self._pool.death()

    async def ready(self, model: str | None = None) -> bool:
        names = [info.name for info in self._models]
        if model is not None and model not in names:
            raise ModelNotFoundError(f"no model of that name: this server has {', '.join(names)}")
        return bool(self._pool.ready)

    async def stream(
        self, request: GenerationRequest, *, resume: Sequence[int] = ()
    ) -> AsyncIterator[list[Chunk]]:
        await self._check(request.model)
        stream = self._flights.stream(request, resume)
        async with aclosing(cast(AsyncGenerator[list[Chunk], None], stream)) as steps:
            async for chunks in steps:
                yield chunks

    async def cancel(self, request_id: str) -> bool:
        return await self._flights.cancel(request_id)

    async def plan(self, request: GenerationRequest) -> GenerationPlan:
        return cast(GenerationPlan, await self._ask(request.model, "plan", request))

    async def tokenize(self, model: str, text: str) -> TokenizedText:
        return cast(TokenizedText, await self._ask(model, "tokenize", model, text))

    async def detokenize(
        self, model: str, token_ids: Sequence[int], *, skip_special_tokens: bool
    ) -> str:
        options = {"skip_special_tokens": skip_special_tokens}
        return cast(str, await self._ask(model, "detokenize", model, token_ids, **options))

    async def detect_watermark(self, model: str, text: str) -> WatermarkDetection:
        return cast(WatermarkDetection, await self._ask(model, "detect_watermark", model, text))

    async def stats(self) -> EngineStats:
        """Counts never fall: what a lost replica had done at the last look stays in them."""
        await asyncio.gather(*map(self._look, self._pool.ready))
        for replica in [replica for replica in self._latest if replica.is_lost]:
            self._past = total([self._past, without_present(self._latest.pop(replica))])
        return total([self._past, *self._latest.values()])

    async def _look(self, replica: Replica) -> None:
        try:
            async with asyncio.timeout(_STATS_SECONDS):
                self._latest[replica] = await replica.call("stats")
        except (ReplicaLostError, TimeoutError):
            pass

    async def _ask(self, model: str, name: str, *arguments: Any, **options: Any) -> Any:
        """The answer of any replica: it is the same of all."""
        for _ in range(_ATTEMPTS):
            await self._check(model)
            try:
                return await self._pool.ready[0].call(name, *arguments, **options)
            except ReplicaLostError:
                continue
        raise EngineUnavailableError("each replica that was asked was lost")

    async def _check(self, model: str) -> None:
        if not await self.ready(model):
            self._pool.check()
            raise EngineUnavailableError(NOT_READY)

    async def _watch(self) -> None:
        while not self._cluster.has_ended():
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
        self._pool.give_up("Ray has ended")

    async def _unless_dead(self, starting: Coroutine[Any, Any, None]) -> None:
        """Without Ray, what is begun has no end. Raises ModelLoadError."""
        start, death = asyncio.ensure_future(starting), asyncio.ensure_future(self._pool.death())
        try:
            await asyncio.wait({start, death}, return_when=asyncio.FIRST_COMPLETED)
            if not start.done():
                raise ModelLoadError(str(death.result()))
            start.result()
        finally:
            start.cancel()
            death.cancel()

    async def _begin(self) -> Replica:
        handle = await self._in_thread(self._cluster.begin, self._config, self._num_replicas)
        return Replica(handle, self._cluster.answer)

    async def _end(self, replica: Replica) -> None:
        if not self._is_stopping:  # else all of them end together
            await self._in_thread(self._cluster.end, replica.handle)

    async def _in_thread(self, function: Callable[..., T], *arguments: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._cluster.thread, function, *arguments)


def _agreed(models: Sequence[ModelInfo]) -> ModelInfo:
    """One model as all of its replicas have it."""
    is_load_invariant = all(model.is_load_invariant for model in models)
    return replace(models[0], is_load_invariant=is_load_invariant)
