"""The program itself in a process of its own, with the embedded model."""

import os
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

MODEL = "smollm2-135m-instruct"
# What takes the least of a machine on which other tests run at the same time.
LIGHT = {"dtype": "int8", "num_threads": 1}
_START_SECONDS = 180.0


@dataclass(frozen=True)
class EmbeddedServer:
    """Answers at ``url`` until the context ends; ``log`` grows."""

    url: str
    log: list[str]

    @property
    def model_url(self) -> str:
        return f"{self.url}/v2/models/{MODEL}"


@contextmanager
def embedded_server(**settings: object) -> Iterator[EmbeddedServer]:
    """Serve the embedded model, which has been pulled, on a free port."""
    options = [
        word
        for name, value in settings.items()
        for word in (f"--{name.replace('_', '-')}", str(value))
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "app", "serve", "--port", "0", "--model", MODEL, *options],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    log: list[str] = []
    reading = threading.Thread(target=_read, args=(process, log))
    reading.start()
    try:
        server = EmbeddedServer(_find_url(process, log), log)
        _wait_until_ready(process, server)
        yield server
    finally:
        process.terminate()
        process.wait(60)
        reading.join(10)


def _read(process: "subprocess.Popen[str]", log: list[str]) -> None:
    assert process.stderr is not None
    log.extend(iter(process.stderr.readline, ""))
    process.stderr.close()


def _find_url(process: "subprocess.Popen[str]", log: list[str]) -> str:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        found = re.search(r"http://127\.0\.0\.1:\d+", "".join(log))
        if found:
            return found[0]
        assert process.poll() is None, "".join(log)
        time.sleep(0.05)
    raise AssertionError("the server did not open its port")


def _wait_until_ready(process: "subprocess.Popen[str]", server: EmbeddedServer) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"{server.url}/v2/health/ready", timeout=10).close()
            return
        except urllib.error.HTTPError:
            assert process.poll() is None, "".join(server.log)
            time.sleep(0.1)
    raise AssertionError("the model was not loaded in time")
