"""The whole program as a process of its own: `python -m app serve`, the real engine inside."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.answers import Judge, strict_json
from tests.wire import PATIENCE, Connection, Reply, get, post

ROOT = Path(__file__).parents[1]
START_SECONDS = 120
_LISTENING = re.compile(r"listening on http://127\.0\.0\.1:(\d+)")


@dataclass(frozen=True)
class RealServer:
    """A running server with one model. Every answer it gives to ``exchange`` is judged."""

    process: subprocess.Popen[bytes]
    port: int
    model: str
    log: Path
    judge: Judge
    document: dict[str, Any]
    first_statuses: tuple[int, int]  # live and ready, as soon as the port was open

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def generate_path(self) -> str:
        return f"/v2/models/{self.model}/generate"

    def connect(self, patience: float = PATIENCE) -> Connection:
        return Connection(self.port, patience)

    def exchange(self, raw: bytes, patience: float = PATIENCE) -> Reply:
        """Send these bytes on a connection of their own, and read and judge the answer."""
        with self.connect(patience) as connection:
            connection.send(raw)
            reply = connection.read(has_body=not raw.startswith(b"HEAD "))
        self.judge.check(raw, reply)
        return reply

    def request(self, body: Mapping[str, Any]) -> bytes:
        """This, sent to the generate operation."""
        return post(self.generate_path, json.dumps(body, ensure_ascii=False).encode())

    def ask(self, body: Mapping[str, Any]) -> Reply:
        return self.exchange(self.request(body), patience=120)

    def generate(self, text: str, **parameters: Any) -> dict[str, Any]:
        """The answer to this text, which must be a good one, details included."""
        reply = self.ask({"text_input": text, "parameters": {"details": True, **parameters}})
        assert reply.status == 200, reply.body
        answer: dict[str, Any] = strict_json(reply.body)
        return answer

    def resident_bytes(self) -> int:
        """The memory that the process takes now."""
        status = Path(f"/proc/{self.process.pid}/statm")
        if status.exists():
            return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        shown = subprocess.check_output(["ps", "-o", "rss=", "-p", str(self.process.pid)])
        return int(shown) * 1024


@contextmanager
def real_server(model_path: Path | str, log: Path, **settings: object) -> Iterator[RealServer]:
    """Serve a model on a free port, ready on entry; ended by a signal, and cleanly, on exit."""
    with started_server("app", model_path, log, **settings) as server, _ended_well(server):
        yield server


@contextmanager
def mock_server(log: Path, **settings: object) -> Iterator[RealServer]:
    """The same without a model, and as fast as can be."""
    with started_mock(log, **settings) as server, _ended_well(server):
        yield server


@contextmanager
def started_mock(log: Path, **settings: object) -> Iterator[RealServer]:
    """The same; what it ends with is left to the caller."""
    pace = {"tokens_per_second": 1e9, "prompt_tokens_per_second": 1e9}
    command = [sys.executable, "-m", "app", "mock"]
    with started_command(command, ROOT, "mock", log, **{**pace, **settings}) as server:
        yield server


@contextmanager
def _ended_well(server: RealServer) -> Iterator[None]:
    try:
        yield
    finally:
        server.process.send_signal(signal.SIGTERM)
        exit_status = server.process.wait(PATIENCE)
    assert exit_status == 0, server.log.read_text()[-2000:]
    assert "Traceback" not in server.log.read_text(), server.log.read_text()[-4000:]


@contextmanager
def started_server(
    module: str, model_path: Path | str, log: Path, **settings: object
) -> Iterator[RealServer]:
    """The same of a module that is run as ``app`` is; what it ends with is left to the caller."""
    command = [sys.executable, "-m", module, "serve"]
    with started_command(command, ROOT, model_path, log, **settings) as server:
        yield server


@contextmanager
def started_command(
    command: Sequence[str], folder: Path, model_path: Path | str, log: Path, **settings: object
) -> Iterator[RealServer]:
    """The same of any command that is ``genspec serve``, run in a folder."""
    process = _start(command, folder, model_path, log, settings)
    try:
        port = int(_wait_for(lambda: _LISTENING.search(log.read_text()), process, log)[1])
        first = _status(port, "/v2/health/live"), _status(port, "/v2/health/ready")
        _wait_for(lambda: _status(port, "/v2/health/ready") == 200, process, log)
        with Connection(port) as connection:
            connection.send(get("/openapi.json"))
            document = connection.read().json()
        model = document["components"]["parameters"]["ModelName"]["example"]
        yield RealServer(process, port, model, log, Judge(document), document, first)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _start(
    command: Sequence[str],
    folder: Path,
    model_path: Path | str,
    log: Path,
    settings: Mapping[str, object],
) -> subprocess.Popen[bytes]:
    options = {"port": 0, "model_weight_path": model_path, **settings}
    words = [word for name, value in options.items() for word in (_option(name), str(value))]
    environment = {key: value for key, value in os.environ.items() if key[:8] != "GENSPEC_"}
    if "GENSPEC_HOME" in os.environ:
        environment["GENSPEC_HOME"] = os.environ["GENSPEC_HOME"]
    with log.open("wb") as stream:
        return subprocess.Popen(
            [*command, *words], cwd=folder, env=environment, stderr=stream, stdout=stream
        )


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _wait_for(condition: Any, process: subprocess.Popen[bytes], log: Path) -> Any:
    deadline = time.monotonic() + START_SECONDS
    while not (found := condition()):
        assert process.poll() is None, log.read_text()[-2000:]
        assert time.monotonic() < deadline, log.read_text()[-2000:]
        time.sleep(0.1)
    return found


def _status(port: int, path: str) -> int:
    with Connection(port) as connection:
        connection.send(get(path))
        return connection.read().status
