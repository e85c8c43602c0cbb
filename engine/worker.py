"""The thread that owns the model, and its bridge to the event loop of the caller."""

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import (
    NOT_READY,
    SHUTTING_DOWN,
    EngineError,
    EngineUnavailableError,
    ModelLoadError,
)
from engine.mailbox import Mailbox
from engine.types import Chunk
from engine.watchdog import Watchdog

if TYPE_CHECKING:  # torch comes with these, and only the thread may pay for its import
    from engine.core import EngineCore
    from engine.generation import Generation

logger = logging.getLogger(__name__)

_DEAD = "the engine has died"
_LAST_STEP_SECONDS = 2.0  # that the end of the process waits for the present step


@dataclass(frozen=True, slots=True)
class Submit:
    generation: "Generation"
    mailbox: Mailbox


@dataclass(frozen=True, slots=True)
class Abort:
    """Forget the request; with ``shows_rest`` its stream still gets a last chunk."""

    request_id: str
    shows_rest: bool


class Worker:
    """Runs an EngineCore in a thread of its own until it is told to stop.

    ``step_timeout`` is in seconds: a step that lasts longer never ends.
    """

    def __init__(self, build_core: Callable[[], "EngineCore"], step_timeout: float) -> None:
        self._build_core = build_core
        self._watchdog = Watchdog(lambda: self._present_step, step_timeout)
        self._watching: asyncio.Task[None] | None = None
        self._commands: queue.SimpleQueue[Submit | Abort | None] = queue.SimpleQueue()
        self._mailboxes: dict[str, Mailbox] = {}  # of the event loop
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._present_step: int | None = None
        self._has_died = asyncio.Event()
        self._is_stopping = False
        self.core: EngineCore | None = None
        self.is_running = False

    async def start(self) -> None:
        """Start the thread and wait until the core is built. Raises ModelLoadError."""
        self._loop = asyncio.get_running_loop()
        started: asyncio.Future[None] = self._loop.create_future()
        self._thread = threading.Thread(
            target=self._run, args=(started,), name="genspec-engine", daemon=True
        )
        self._thread.start()
        await started
        if self._is_stopping:
            return
        self.is_running = True
        self._watching = asyncio.create_task(self._watch())

    async def stop(self) -> bool:
        """Fail whatever is in flight and end the thread; False where its present step goes on."""
        self._is_stopping = True
        self._commands.put(None)
        if self._watching is not None:
            self._watching.cancel()
        self._close(EngineUnavailableError(SHUTTING_DOWN))
        if self._thread is None:
            return True
        await asyncio.to_thread(self._thread.join, _LAST_STEP_SECONDS)
        return not self._thread.is_alive()

    async def death(self) -> EngineUnavailableError:
        """Return once nothing will ever be computed again, with the reason."""
        await self._has_died.wait()
        return EngineUnavailableError(_DEAD)

    def submit(self, generation: "Generation") -> Mailbox:
        """Raises EngineUnavailableError where the thread has ended meanwhile."""
        self.check()
        mailbox = Mailbox()
        self._mailboxes[generation.sequence.request_id] = mailbox
        self._commands.put(Submit(generation, mailbox))
        return mailbox

    def check(self) -> None:
        """Raises EngineUnavailableError where nothing is computed now."""
        if self._has_died.is_set():
            raise EngineUnavailableError(_DEAD)
        if not self.is_running:
            raise EngineUnavailableError(SHUTTING_DOWN if self._is_stopping else NOT_READY)

    def abort(self, request_id: str, *, shows_rest: bool) -> bool:
        """End a request; False where it is not in flight."""
        if request_id not in self._mailboxes:
            return False
        if not shows_rest:
            del self._mailboxes[request_id]
        self._commands.put(Abort(request_id, shows_rest))
        return True

    def _run(self, started: "asyncio.Future[None]") -> None:
        try:
            self.core = self._build_core()
        except Exception as error:
            failure = error
            if not isinstance(error, ModelLoadError):
                logger.exception("loading the model failed")
                failure = ModelLoadError(f"loading the model failed: {type(error).__name__}")
            self._call_in_loop(_settle, started, failure)
            return
        self._call_in_loop(_settle, started, None)
        try:
            self._serve(self.core)
        except BaseException:
            logger.exception("the engine thread died")
            self._call_in_loop(self._die)

    def _serve(self, core: "EngineCore") -> None:
        while not core.is_broken:
            # An idle thread sleeps in the queue; a busy one only looks into it between steps.
            while not core.has_work or not self._commands.empty():
                command = self._commands.get()
                if command is None:
                    return
                self._obey(core, command)
            self._present_step = core.counters.num_steps
            outputs = [(output.request_id, output.result) for output in core.step()]
            self._present_step = None
            self._call_in_loop(self._deliver, outputs)
        logger.error("step after step fails: the engine gives up")
        self._call_in_loop(self._die)

    def _obey(self, core: "EngineCore", command: Submit | Abort) -> None:
        if isinstance(command, Submit):
            core.add(command.generation)
            return
        generation = core.abort(command.request_id)
        if generation is not None and command.shows_rest:
            self._call_in_loop(self._deliver, [(command.request_id, generation.stop())])

    def _deliver(self, outputs: list[tuple[str, Chunk | EngineError]]) -> None:
        for request_id, result in outputs:
            mailbox = self._mailboxes.get(request_id)
            if mailbox is None:
                continue
            mailbox.put(result)
            if isinstance(result, EngineError) or result.finish_reason is not None:
                del self._mailboxes[request_id]

    async def _watch(self) -> None:
        await self._watchdog.hung()
        logger.error("a step does not end: the engine gives up")
        self._die()

    def _die(self) -> None:
        if self.is_running:  # else it was stopped before
            self._has_died.set()
        self._close(EngineUnavailableError(_DEAD))

    def _close(self, error: EngineError) -> None:
        self.is_running = False
        mailboxes, self._mailboxes = self._mailboxes, {}
        for mailbox in mailboxes.values():
            mailbox.put(error)

    def _call_in_loop(self, function: Callable[..., None], *args: object) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *args)


def _settle(future: "asyncio.Future[None]", error: Exception | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)
