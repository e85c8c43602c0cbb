"""What is known of one request while it runs; metrics, traces and the log are made from it."""

from contextvars import ContextVar
from dataclasses import dataclass, field
from time import monotonic, time_ns

from engine import Chunk

NO_OPERATION = "none"  # of a request that was routed to no operation of the document
NO_REASON = "none"
CLIENT_GONE = 499  # the status of a request whose client left before its answer began


@dataclass(slots=True)
class GenerationRecord:
    """Times of one generation; ``started_at`` in seconds of ``time.monotonic``."""

    model: str
    prompt: str | tuple[int, ...]
    started_at: float = field(default_factory=monotonic)
    queue_ms: float | None = None
    first_token_ms: float | None = None
    decode_ms: float = 0.0
    num_prompt_tokens: int = 0
    num_generated_tokens: int = 0
    finish_reason: str = NO_REASON

    def add(self, chunk: Chunk) -> None:
        """Take the engine's own counts and times."""
        self.num_prompt_tokens = chunk.num_prompt_tokens
        self.queue_ms = chunk.queue_ms
        if chunk.finish_reason is not None:
            self.finish_reason = chunk.finish_reason.value
        if chunk.token is None:
            return
        self.num_generated_tokens += 1
        if self.first_token_ms is None:
            self.first_token_ms = chunk.token.elapsed_ms
        else:
            self.decode_ms += chunk.token.elapsed_ms


@dataclass(slots=True)
class RequestRecord:
    """One request. ``body_from`` to ``body_until`` its body was read, checked and completed."""

    request_id: str
    method: str
    path: str
    started_at: float = field(default_factory=monotonic)
    started_ns: int = field(default_factory=time_ns)  # since the epoch
    operation: str = NO_OPERATION
    status: int = CLIENT_GONE
    body_from: float | None = None
    body_until: float | None = None
    duration: float = 0.0  # seconds, known at the end
    generation: GenerationRecord | None = None
    trace_id: str | None = None
    key: str | None = None  # name of the API key

    @property
    def finish_reason(self) -> str:
        return self.generation.finish_reason if self.generation else NO_REASON


# The request that the running code works for.
current_record: ContextVar[RequestRecord | None] = ContextVar("genspec_request", default=None)


def note_key(name: str) -> None:
    """Of the running request: this API key has let it in."""
    if (record := current_record.get()) is not None:
        record.key = name


def note_body_begins(now: float) -> None:
    """Of the running request: its body is read from now on."""
    if (record := current_record.get()) is not None:
        record.body_from = now


def note_body_complete() -> None:
    """Of the running request: its body was read, is valid and has its defaults."""
    if (record := current_record.get()) is not None:
        record.body_until = monotonic()
