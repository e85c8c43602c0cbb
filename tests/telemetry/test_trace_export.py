"""Traces go where OTEL_* variables say; without them nothing of OpenTelemetry is there."""

import asyncio
import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest

from app.server import create_app
from app.settings import Settings, SettingsError
from app.telemetry.traces import Tracing, make_tracing
from tests.fake_engine import FakeEngine
from tests.telemetry.scraping import BODY, GENERATE


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"},
        {"OTEL_SDK_DISABLED": "true", "OTEL_TRACES_EXPORTER": "otlp"},
        {"OTEL_SERVICE_NAME": "mine"},
    ],
)
def test_no_traces_unless_asked_for(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in variables.items():
        monkeypatch.setenv(name, text)
    assert make_tracing("1") is None


@pytest.mark.parametrize(
    "variables",
    [
        {"OTEL_TRACES_EXPORTER": "zipkin"},
        {"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"},
    ],
)
def test_what_cannot_be_done_is_named(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in variables.items():
        monkeypatch.setenv(name, text)
    with pytest.raises(SettingsError, match=rf"^{list(variables)[-1]}: must be"):
        make_tracing("1")


def test_without_the_packages_the_way_to_get_them_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "otlp")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    monkeypatch.delitem(sys.modules, "app.telemetry.exporting", raising=False)
    with pytest.raises(SettingsError, match=r"pip install 'genspec\[otel\]'"):
        make_tracing("1")


def test_spans_are_sent_to_the_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    received: list[tuple[str, bytes]] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            received.append((self.path, self.rfile.read(length)))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with HTTPServer(("127.0.0.1", 0), Collector) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        endpoint = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
        tracing = make_tracing("1.2.3")
        assert tracing is not None
        _request(tracing)
        tracing.shutdown()
        server.shutdown()
        thread.join()

    [(path, body)] = received
    assert path == "/v1/traces"
    for word in (b"generate", b"prefill", b"service.name", b"genspec", b"1.2.3"):
        assert word in body


def _request(tracing: Tracing) -> None:
    async def request() -> None:
        app = create_app(Settings(), FakeEngine(is_ready=True), tracing=tracing)
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            await client.post(GENERATE, json=BODY)

    asyncio.run(request())


def test_a_server_without_traces_imports_nothing_of_them() -> None:
    script = (
        "import sys, json; from app import cli, server; from app.telemetry.traces import"
        " make_tracing; make_tracing('1');"
        "print(json.dumps([m for m in sys.modules if m.startswith('opentelemetry')]))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == []
