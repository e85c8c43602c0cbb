"""More requests than there is room for."""

import statistics
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.real_server import RealServer, real_server
from tests.wire import Reply, get

pytestmark = pytest.mark.slow
CAPACITY = 8  # four run, four wait
LONG = {"text_input": "The capital of", "parameters": {"max_new_tokens": 128, "ignore_eos": True}}


@contextmanager
def load(server: RealServer, num_clients: int, replies: list[Reply]) -> Iterator[None]:
    """So many clients, who ask again as soon as they are answered."""
    is_over = threading.Event()

    def ask() -> None:
        while not is_over.is_set():
            reply = server.ask(LONG)
            replies.append(reply)
            if reply.status == 429:
                time.sleep(0.02)

    with ThreadPoolExecutor(num_clients) as pool:
        asking = [pool.submit(ask) for _ in range(num_clients)]
        try:
            time.sleep(0.5)
            yield
        finally:
            is_over.set()
            for one in asking:
                one.result()


def test_a_full_queue_is_told_in_a_moment_and_nobody_is_lost(
    tiny_path: Path, tmp_path: Path
) -> None:
    settings = {"max_seq_len": 256, "max_iter_times": 128, "num_threads": 1}
    settings |= {"max_batch_size": 4, "max_queue_size": 4}
    replies: list[Reply] = []
    refusals: list[float] = []
    probes: list[float] = []
    with real_server(tiny_path, tmp_path / "server.log", **settings) as server:
        with load(server, CAPACITY + 2, replies):
            while len(refusals) < 50:
                begin = time.perf_counter()
                reply = server.ask(LONG)
                middle = time.perf_counter()
                server.exchange(get("/v2/health/live"))
                replies.append(reply)
                if reply.status == 429:
                    refusals.append(middle - begin)
                    probes.append(time.perf_counter() - middle)
                    assert 1 <= int(reply.headers["retry-after"]) < 600
        assert server.ask(LONG).status == 200
    assert {reply.status for reply in replies} == {200, 429}
    # What the machine itself makes everybody wait is no matter of the queue.
    assert statistics.median(refusals) - statistics.median(probes) < 0.05


def test_the_queue_is_bounded_in_tokens_too(tiny_path: Path, tmp_path: Path) -> None:
    """Each becomes 130 tokens or so: two run, and but one may wait."""
    settings = {"max_seq_len": 256, "max_iter_times": 128, "num_threads": 1}
    settings |= {"max_batch_size": 2, "max_queue_size": 100, "max_queue_tokens": 200}
    with real_server(tiny_path, tmp_path / "server.log", **settings) as server:
        with ThreadPoolExecutor(12) as pool:
            replies = list(pool.map(server.ask, [LONG] * 12))
        refused = [reply.json()["error"] for reply in replies if reply.status == 429]
        assert {reply.status for reply in replies} == {200, 429}
        assert any("tokens are waiting" in error for error in refused)
