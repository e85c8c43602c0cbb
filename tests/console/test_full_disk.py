"""Output and log go to files of a disk that is full: commands say so, and a server serves on."""

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.real_server import ROOT, START_SECONDS
from tests.wire import PATIENCE, Connection, get, post

FULL = Path("/dev/full")
pytestmark = pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
GENERATE = post("/v2/models/mock/generate", b'{"text_input":"a","max_tokens":1}')


def test_a_command_whose_output_finds_no_room_says_so() -> None:
    with FULL.open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "app", "models"],
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert done.returncode == 1
    assert done.stderr == "genspec: error: cannot write: No space left on device\n"


def test_a_server_whose_log_finds_no_room_serves_and_ends_as_ever() -> None:
    port = free_port()
    with mock_without_log(port) as process:
        wait_until_ready(process, port)
        for raw, status in ((GENERATE, 200), (get("/nowhere"), 404), (b"nonsense\r\n\r\n", 400)):
            with Connection(port) as connection:
                connection.send(raw)
                assert connection.read().status == status
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


@contextmanager
def mock_without_log(port: int) -> Iterator["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-m", "app", "mock", "--port", str(port), "--log-level", "debug"]
    with FULL.open("w") as full:
        process = subprocess.Popen(command, cwd=ROOT, stdout=full, stderr=full)
    with process:
        try:
            yield process
        finally:
            process.kill()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def wait_until_ready(process: "subprocess.Popen[bytes]", port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not is_listening(port):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_listening(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0
