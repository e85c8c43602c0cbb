"""The program with replicas: settings, a drain, a front that is killed, and what stays of it."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import psutil
import pytest

from app import cli, deployment
from app.settings import Settings, SettingsError, load_settings
from engine import is_ray_installed
from tests.wire import Connection, get

needs_ray = [
    pytest.mark.slow,
    pytest.mark.skipif(not is_ray_installed(), reason="ray is not installed"),
    pytest.mark.xdist_group("ray"),
]
START_SECONDS = 240.0
END_SECONDS = 120.0
NUM_TOKENS = 150  # three seconds of them
BODY = b'{"text_input":"a","parameters":{"max_new_tokens":%d,"ignore_eos":true}}' % NUM_TOKENS


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"replicas": 2}, "replicas: more than one need engine = ray"),
        ({"ray_address": "auto"}, "ray_address: needs engine = ray"),
        ({"engine": "other"}, "engine: "),
        ({"engine": "ray", "replicas": 0}, "replicas: "),
    ],
)
def test_settings_of_replicas_are_refused_in_one_line(
    options: dict[str, Any], problem: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        load_settings(options)

    assert str(caught.value).startswith(problem)


def test_without_ray_it_is_said_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(deployment, "is_ray_installed", lambda: False)

    assert cli.main(["mock", "--engine", "ray"]) == cli.EXIT_USAGE
    [line] = capsys.readouterr().err.splitlines()
    assert line.endswith("run: pip install 'genspec[ray]'")


def test_one_engine_in_this_process_is_the_default() -> None:
    assert Settings().engine == "local"


class Serving:
    """`genspec mock --engine ray` with two replicas, ready."""

    def __init__(self, log: Path) -> None:
        self._log = log
        words = ("mock", "--engine", "ray", "--replicas", "2", "--port", "0")
        with log.open("wb") as stream:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "app", *words], stdout=stream, stderr=stream
            )
        self.port = int(self._wait(r"listening on http://127\.0\.0\.1:(\d+)")[1])
        self._wait(r"ready after")
        family = psutil.Process(self.process.pid).children(recursive=True)
        self.replicas = [one for one in family if one.name().startswith("ray::Replica")]
        self.family = family

    def _wait(self, pattern: str) -> re.Match[str]:
        deadline = time.monotonic() + START_SECONDS
        while not (found := re.search(pattern, self._log.read_text())):
            assert self.process.poll() is None, self._log.read_text()
            assert time.monotonic() < deadline, self._log.read_text()
            time.sleep(0.1)
        return found

    def ask(self, path: str) -> Any:
        with Connection(self.port) as connection:
            connection.send(get(path))
            return connection.read().json()

    def left(self) -> list[psutil.Process]:
        """What is still there of it after a while, the reaper included."""
        deadline = time.monotonic() + END_SECONDS
        while (left := list(filter(is_alive, self.family))) and time.monotonic() < deadline:
            time.sleep(0.05)
        return left


def is_alive(process: psutil.Process) -> bool:
    """One that has ended may be a zombie for long, where its new parent has other things to do."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@contextmanager
def serving(folder: Path) -> Iterator[Serving]:
    served = Serving(folder / "log")
    try:
        yield served
    finally:
        served.process.kill()
        served.process.wait()


class Stream(Thread):
    """Reads a whole stream."""

    def __init__(self, port: int) -> None:
        super().__init__()
        self.url = f"http://127.0.0.1:{port}/v2/models/mock/generate_stream"
        self.body = b""
        self.start()

    def run(self) -> None:
        self.body = httpx.post(self.url, content=BODY, timeout=300).content


class TestServing:
    pytestmark = needs_ray

    def test_a_signal_lets_streams_end_and_leaves_nothing(self, tmp_path: Path) -> None:
        with serving(tmp_path) as served:
            config = served.ask("/v2/models/mock/config")
            stream = Stream(served.port)
            wait_until(lambda: served.ask("/v2/models/mock/stats")["model_stats"][0]["num_running"])
            served.process.send_signal(signal.SIGTERM)
            stream.join(60)

            assert served.process.wait(END_SECONDS) == 0
            assert stream.body.count(b"data:") == NUM_TOKENS
            assert config["max_running_requests"] == 2 * Settings().max_batch_size
            assert len(served.replicas) == 2
            assert served.left() == []

    def test_a_killed_front_leaves_nothing(self, tmp_path: Path) -> None:
        with serving(tmp_path) as served:
            os.kill(served.process.pid, signal.SIGKILL)
            served.process.wait()

            assert served.left() == []


def wait_until(condition: Any) -> None:
    deadline = time.monotonic() + END_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
