"""The thread that owns the model, and its bridge to the event loop of the caller."""

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import EngineError, EngineUnavailableError, ModelLoadError
from engine.types import Chunk

if TYPE_CHECKING:  # torch comes with these, and only the thread may pay for its import
    from engine.core import EngineCore
    from engine.generation import Generation

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Submit:
    generation: "Generation"
    mailbox: "Mailbox"


@dataclass(frozen=True, slots=True)
class Abort:
    """Forget the request; with ``shows_rest`` its stream still gets a last chunk."""

    request_id: str
    shows_rest: bool


class Mailbox:
    """What one stream waits on. Filled and emptied in the event loop only."""

    def __init__(self) -> None:
        self._results: list[Chunk | EngineError] = []
        self._filled = asyncio.Event()

    def put(self, result: Chunk | EngineError) -> None:
        self._results.append(result)
        self._filled.set()

    async def get(self) -> list[Chunk]:
        """All chunks since the last call. Raises the error that ended the request, if one did."""
        await self._filled.wait()
        self._filled.clear()
        results, self._results = self._results, []
        chunks = [result for result in results if isinstance(result, Chunk)]
        errors = [result for result in results if isinstance(result, EngineError)]
        if errors and not chunks:
            raise errors[0]
        if errors:
            self.put(errors[0])
        return chunks


class Worker:
    """Runs an EngineCore in a thread of its own until it is told to stop."""

    def __init__(self, build_core: Callable[[], "EngineCore"]) -> None:
        self._build_core = build_core
        self._commands: queue.SimpleQueue[Submit | Abort | None] = queue.SimpleQueue()
        self._mailboxes: dict[str, Mailbox] = {}  # of the event loop
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
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
        self.is_running = True

    async def stop(self) -> None:
        """End the thread after its present step and fail whatever is still in flight."""
        self._commands.put(None)
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)
        self._close(EngineUnavailableError("the server is shutting down"))

    def submit(self, generation: "Generation") -> Mailbox:
        mailbox = Mailbox()
        self._mailboxes[generation.sequence.request_id] = mailbox
        self._commands.put(Submit(generation, mailbox))
        return mailbox

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
            self._call_in_loop(_set_exception, started, failure)
            return
        self._call_in_loop(_set_result, started)
        try:
            self._serve(self.core)
        except Exception:
            logger.exception("the engine thread died")
            self._call_in_loop(self._close, EngineUnavailableError("the engine has died"))

    def _serve(self, core: "EngineCore") -> None:
        while True:
            # An idle thread sleeps in the queue; a busy one only looks into it between steps.
            while not core.has_work or not self._commands.empty():
                command = self._commands.get()
                if command is None:
                    return
                self._obey(core, command)
            outputs = [(output.request_id, output.result) for output in core.step()]
            self._call_in_loop(self._deliver, outputs)

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

    def _close(self, error: EngineError) -> None:
        self.is_running = False
        mailboxes, self._mailboxes = self._mailboxes, {}
        for mailbox in mailboxes.values():
            mailbox.put(error)

    def _call_in_loop(self, function: Callable[..., None], *args: object) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *args)


def _set_result(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)


def _set_exception(future: "asyncio.Future[None]", error: Exception) -> None:
    if not future.done():
        future.set_exception(error)
