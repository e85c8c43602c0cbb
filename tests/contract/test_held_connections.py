"""Hundreds of clients that stay: silent ones, slow ones, and more than there are files for."""

import resource
import select
import time
from collections.abc import Iterator
from contextlib import ExitStack

import psutil
import pytest

from tests.idle_connections import measure, open_files
from tests.live_server import wait_until
from tests.real_server import RealServer, mock_server
from tests.slow_loris import CLOSED, attack
from tests.wire import Connection, get

pytestmark = pytest.mark.slow
NUMBER = 300
KEEP_ALIVE = 4
MAX_CONNECTIONS = NUMBER + 100
LIMITS = {"header_timeout": 2.0, "body_timeout": 2.5, "write_timeout": 2.5}
OTHER_FILES = 30  # open in a server without connections, at most
LIVE = get("/v2/health/live")


@pytest.fixture(scope="module")
def mock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    log = tmp_path_factory.mktemp("idle") / "server.log"
    settings = {"max_connections": MAX_CONNECTIONS, "keep_alive_timeout": KEEP_ALIVE}
    with mock_server(log, **settings, **LIMITS) as server:
        yield server


def test_idle_connections_cost_little_and_end(mock: RealServer) -> None:
    report = measure(mock, NUMBER, KEEP_ALIVE, num_asked=20)

    assert report.problems() == [], report


def test_slow_clients_are_closed_in_time_and_slow_down_nobody(mock: RealServer) -> None:
    report = attack(mock, LIMITS, number=90, seconds=3.5)

    assert report.problems() == [], report


def test_without_files_newcomers_are_closed_and_nobody_else_notices(mock: RealServer) -> None:
    wait_until(lambda: open_files(mock) < OTHER_FILES)
    process = psutil.Process(mock.process.pid)
    before = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
    with ExitStack() as stack:
        kept = stack.enter_context(mock.connect())
        ask(kept)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (open_files(mock) + 20, before[1]))
        newcomers = [stack.enter_context(mock.connect()) for _ in range(200)]
        wait_until(lambda: sum(map(is_closed, newcomers)) >= 150)
        used = process.cpu_times()
        started = time.monotonic()
        while time.monotonic() < started + 1:
            ask(kept)
            time.sleep(0.05)
        assert process.cpu_times().user - used.user < 0.5
    wait_until(lambda: open_files(mock) < OTHER_FILES)
    with mock.connect() as late:
        ask(late)
    resource.prlimit(process.pid, resource.RLIMIT_NOFILE, before)


def ask(connection: Connection) -> None:
    connection.send(LIVE)
    assert connection.read().status == 200


def is_closed(connection: Connection) -> bool:
    """Before it has asked for anything."""
    poll = select.poll()
    poll.register(connection.socket, CLOSED)
    return bool(poll.poll(0))
