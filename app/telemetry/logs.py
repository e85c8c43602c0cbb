"""The log: one line of JSON, or of text for people, for each event and each request."""

import logging
import sys
from typing import TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from app.telemetry.record import CLIENT_GONE, GenerationRecord, RequestRecord, current_record

logger = logging.getLogger(__name__)

QUIET_LOGGERS = ("connexion", "httpx", "opentelemetry", "uvicorn.error", "urllib3")
READINESS = ("health_ready", "model_ready", "model_version_ready")
FIELDS = "genspec_fields"  # attribute of a log record: what it says beside its message


class RequestLog:
    """Writes the line of a request that has ended. Prompts are left out unless asked for."""

    def __init__(self, *, with_prompts: bool) -> None:
        self._with_prompts = with_prompts

    def __call__(self, record: RequestRecord) -> None:
        fields: dict[str, object] = {
            "request_id": record.request_id,
            "operation": record.operation,
            "method": record.method,
            "path": record.path,
            "status": record.status,
            "duration_ms": round(record.duration * 1000, 3),
        }
        if record.key is not None:
            fields["key"] = record.key
        if record.trace_id is not None:
            fields["trace_id"] = record.trace_id
        if record.generation is not None:
            fields |= _generation_fields(record.generation)
            if self._with_prompts:
                fields["prompt"] = record.generation.prompt
        level = logging.ERROR if _is_failure(record) else logging.INFO
        message = "client left" if record.status == CLIENT_GONE else "request"
        logger.log(level, message, extra={FIELDS: fields})


def _is_failure(record: RequestRecord) -> bool:
    """Of ours: that the server is not ready is what a probe asks for."""
    return record.status >= 500 and record.operation not in READINESS


def _generation_fields(generation: GenerationRecord) -> dict[str, object]:
    return {
        "prompt_tokens": generation.num_prompt_tokens,
        "generated_tokens": generation.num_generated_tokens,
        "finish_reason": generation.finish_reason,
        "queue_ms": _rounded(generation.queue_ms),
        "first_token_ms": _rounded(generation.first_token_ms),
        "decode_ms": _rounded(generation.decode_ms),
    }


def _rounded(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else round(milliseconds, 3)


def log_to_stderr(level: str, log_format: str | None) -> None:
    """Send every logger of the process there."""
    logging.basicConfig(level=level.upper(), handlers=[make_handler(log_format, sys.stderr)])
    for name in QUIET_LOGGERS:
        logging.getLogger(name).setLevel(max(logging.WARNING, logging.getLogger().level))


def make_handler(log_format: str | None, stream: TextIO) -> logging.Handler:
    """Writes ``json`` or ``console``; None is ``console`` on a terminal only."""
    is_for_people = log_format == "console" or (log_format is None and stream.isatty())
    handler = _StderrHandler() if stream is sys.stderr else logging.StreamHandler(stream)
    handler.setFormatter(_formatter(is_for_people, stream.isatty()))
    return handler


class _StderrHandler(logging.StreamHandler[TextIO]):
    """Writes to what stderr is at that moment: a spinner stands in for it to stay below the log."""

    @property
    def stream(self) -> TextIO:
        return sys.stderr

    @stream.setter
    def stream(self, _stream: TextIO) -> None:
        """Fixed."""


def _formatter(is_for_people: bool, has_colors: bool) -> logging.Formatter:
    common: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _add_fields,
    ]
    last: list[Processor] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta]
    if is_for_people:
        last += [_console_renderer(has_colors)]
    else:
        last += [
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ]
    return structlog.stdlib.ProcessorFormatter(foreign_pre_chain=common, processors=last)


def _console_renderer(has_colors: bool) -> structlog.dev.ConsoleRenderer:
    # Its own choice of traceback shows local variables, and prompts are among them.
    return structlog.dev.ConsoleRenderer(
        colors=has_colors, exception_formatter=structlog.dev.plain_traceback
    )


def _add_fields(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """The fields of the log record, and whose request it is about."""
    fields = getattr(event["_record"], FIELDS, None)
    if fields is not None:
        return {**event, **fields}
    if (record := current_record.get()) is not None:
        event["request_id"] = record.request_id
    return event
