"""How the process ends, and how it does not."""

import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faulty_engine import SEED_OF_EXCEPTION, SEED_OF_HANG
from tests.real_server import RealServer, started_server
from tests.wire import Reply, get

pytestmark = pytest.mark.slow
EXIT_SECONDS = 60  # of an interpreter that takes torch apart, on a busy machine
SIZES = {"max_seq_len": 256, "max_iter_times": 128, "num_threads": 1, "max_batch_size": 2}


@contextmanager
def faulty(tiny_path: Path, tmp_path: Path, **settings: object) -> Iterator[RealServer]:
    log = tmp_path / "server.log"
    with started_server("tests.faulty_server", tiny_path, log, **SIZES, **settings) as server:
        yield server


def ask(server: RealServer, seed: int = 1) -> Reply:
    parameters = {"do_sample": True, "seed": seed, "max_new_tokens": 100}
    return server.ask({"text_input": "The capital of", "parameters": parameters})


def last_line(server: RealServer) -> str:
    return server.log.read_text().splitlines()[-1]


def test_three_failed_steps_in_a_row_end_the_process_with_one_line(
    tiny_path: Path, tmp_path: Path
) -> None:
    with faulty(tiny_path, tmp_path) as server:
        for _ in range(2):
            assert [ask(server, SEED_OF_EXCEPTION).status for _ in range(2)] == [424, 424]
            assert ask(server).status == 200
        assert [ask(server, SEED_OF_EXCEPTION).status for _ in range(3)] == [424] * 3

        assert server.process.wait(EXIT_SECONDS) == 1
        assert last_line(server) == (
            "genspec: error: the model cannot be served: the engine has died"
        )


def test_a_step_that_hangs_ends_the_process_and_everybody_is_answered(
    tiny_path: Path, tmp_path: Path
) -> None:
    with faulty(tiny_path, tmp_path, step_timeout=1.5) as server, ThreadPoolExecutor() as pool:
        stopped_while_busy(server, pool)
        seeds = [SEED_OF_HANG, 1, 2, 3]
        replies = list(pool.map(lambda seed: ask(server, seed), seeds))

        assert {reply.status for reply in replies[:1]} == {503}
        assert {reply.status for reply in replies} <= {200, 503}
        assert server.process.wait(EXIT_SECONDS) == 1
        assert "the engine has died" in last_line(server)


def stopped_while_busy(server: RealServer, pool: ThreadPoolExecutor) -> None:
    """A process that stands still for longer than a step may take has no step that hangs."""
    replies = [pool.submit(ask, server, seed) for seed in range(1, 30)]
    time.sleep(0.3)
    server.process.send_signal(signal.SIGSTOP)
    time.sleep(3)
    server.process.send_signal(signal.SIGCONT)
    assert {reply.result().status for reply in replies} == {200}


def test_a_signal_ends_also_a_process_whose_engine_hangs(tiny_path: Path, tmp_path: Path) -> None:
    """First, the draining waits for it; a second signal does not."""
    with faulty(tiny_path, tmp_path, drain_timeout=60) as server, ThreadPoolExecutor() as pool:
        hanging = pool.submit(ask, server, SEED_OF_HANG)
        waiting = pool.submit(ask, server)
        time.sleep(0.5)
        server.process.send_signal(signal.SIGTERM)
        time.sleep(1)
        assert server.exchange(get("/v2/health/ready")).status == 503
        refused = ask(server)
        assert (refused.status, refused.headers["connection"]) == (503, "close")
        assert server.exchange(get("/v2/health/live")).status == 200
        server.process.send_signal(signal.SIGTERM)

        assert hanging.result().status == 503
        assert waiting.result().status in (200, 503)
        assert server.process.wait(EXIT_SECONDS) == 0
