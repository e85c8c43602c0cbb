"""The spans of a request."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import httpx
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanContext, SpanKind, StatusCode

from app.server import create_app
from app.settings import Settings
from app.telemetry.traces import Tracing
from engine import Chunk, GenerationError
from tests.fake_engine import FakeEngine, chunks

PATH = "/v2/models/fake/generate"
BODY = {"text_input": "a secret"}
TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"


class Traced:
    """An application, a client of it and its spans."""

    def __init__(self) -> None:
        self.engine = FakeEngine(is_ready=True, script=queued("a", "b", "c"))
        self._exporter = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        app = create_app(Settings(), self.engine, tracing=Tracing(provider))
        transport = httpx.ASGITransport(app=app)
        self.client = httpx.AsyncClient(transport=transport, base_url="http://test")

    def spans(self) -> Sequence[ReadableSpan]:
        return self._exporter.get_finished_spans()

    def tree(self) -> tuple[ReadableSpan, dict[str, ReadableSpan]]:
        """The one root, and its children by name."""
        [root] = [span for span in self.spans() if span.kind is SpanKind.SERVER]
        children = {span.name: span for span in self.spans() if span is not root}
        for child in children.values():
            assert child.parent is not None
            assert child.parent.span_id == context(root).span_id
            assert context(child).trace_id == context(root).trace_id
        return root, children


def queued(*texts: str) -> list[Chunk]:
    """Chunks of a generation that waited for 1 of the 2.5 ms to its first token."""
    return [replace(chunk, queue_ms=1.0) for chunk in chunks(*texts)]


@pytest.fixture
async def traced() -> AsyncIterator[Traced]:
    traced = Traced()
    async with traced.client:
        yield traced


def context(span: ReadableSpan) -> SpanContext:
    found = span.get_span_context()
    assert found is not None
    return found


def milliseconds(span: ReadableSpan) -> float:
    assert span.start_time is not None
    assert span.end_time is not None
    return (span.end_time - span.start_time) / 1e6


async def test_a_generation_has_its_phases_one_after_the_other(traced: Traced) -> None:
    await traced.client.post(PATH, json=BODY)

    root, children = traced.tree()
    assert root.name == "generate"
    assert list(children) == ["validate", "queue", "prefill", "decode"]
    assert milliseconds(children["queue"]) == pytest.approx(1.0)
    assert milliseconds(children["prefill"]) == pytest.approx(1.5)
    assert milliseconds(children["decode"]) == pytest.approx(5.0)
    starts = [root.start_time, *(child.start_time for child in children.values())]
    assert starts == sorted(starts, key=lambda start: start or 0)
    assert children["queue"].end_time == children["prefill"].start_time
    assert children["prefill"].end_time == children["decode"].start_time


async def test_the_root_says_what_was_done_and_nothing_that_was_written(traced: Traced) -> None:
    reply = await traced.client.post(PATH, json=BODY)

    root, _ = traced.tree()
    assert root.attributes == {
        "http.request.method": "POST",
        "http.response.status_code": 200,
        "genspec.request_id": reply.headers["x-request-id"],
        "gen_ai.request.model": "fake",
        "gen_ai.usage.input_tokens": 3,
        "gen_ai.usage.output_tokens": 3,
        "gen_ai.response.finish_reasons": ("length",),
    }
    assert all("secret" not in span.to_json() for span in traced.spans())


async def test_the_callers_trace_goes_on(traced: Traced) -> None:
    headers = {"traceparent": f"00-{TRACE}-{PARENT}-01", "tracestate": "vendor=1"}
    await traced.client.post(PATH, json=BODY, headers=headers)

    root, _ = traced.tree()
    assert root.parent is not None
    assert f"{root.parent.span_id:016x}" == PARENT
    assert f"{context(root).trace_id:032x}" == TRACE
    assert context(root).trace_state.get("vendor") == "1"


@pytest.mark.parametrize("sent", ["", "nonsense", f"00-{'0' * 32}-{PARENT}-01"])
async def test_a_broken_context_starts_a_new_trace(traced: Traced, sent: str) -> None:
    reply = await traced.client.post(PATH, json=BODY, headers={"traceparent": sent})

    assert reply.status_code == 200
    assert traced.tree()[0].parent is None


async def test_a_caller_that_does_not_sample_gets_no_spans(traced: Traced) -> None:
    headers = {"traceparent": f"00-{TRACE}-{PARENT}-00"}
    reply = await traced.client.post(PATH, json=BODY, headers=headers)

    assert reply.status_code == 200
    assert traced.spans() == ()


async def test_a_refused_body_ends_in_its_validation(traced: Traced) -> None:
    await traced.client.post(PATH, json={})

    root, children = traced.tree()
    assert list(children) == ["validate"]
    assert children["validate"].status.status_code is StatusCode.ERROR
    assert root.status.status_code is StatusCode.UNSET  # the client's fault


async def test_a_generation_that_fails_at_once_never_leaves_the_queue(traced: Traced) -> None:
    traced.engine.script = []
    traced.engine.failure = GenerationError("failed")
    await traced.client.post(PATH, json=BODY)

    _, children = traced.tree()
    assert list(children) == ["validate", "queue"]
    assert children["queue"].status.status_code is StatusCode.ERROR


async def test_a_fault_of_ours_is_an_error(traced: Traced) -> None:
    traced.engine.failure = RuntimeError("a fault")
    await traced.client.post(PATH, json=BODY)

    root, children = traced.tree()
    assert root.status.status_code is StatusCode.ERROR
    assert list(children) == ["validate", "queue", "prefill", "decode"]


async def test_requests_without_a_generation_are_one_span(traced: Traced) -> None:
    await traced.client.get("/v2/health/live")
    await traced.client.get("/nowhere")

    assert [span.name for span in traced.spans()] == ["health_live", "none"]
