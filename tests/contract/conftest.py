"""Real servers over tiny random models, for all tests of the wire contract."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real_server import RealServer, real_server
from tests.tiny_models import save_model
from tests.tiny_server import TinyServer, tiny_server

# Short, so that tests of slow clients are fast ones; an ordinary request needs milliseconds.
HEADER_SECONDS, BODY_SECONDS = 0.8, 3.0
MAX_PROMPT_TOKENS, MAX_NEW_TOKENS = 256, 128


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    folder = tmp_path_factory.mktemp("contract")
    with real_server(
        save_model(folder / "tiny"),
        folder / "server.log",
        max_seq_len=MAX_PROMPT_TOKENS + MAX_NEW_TOKENS,
        max_iter_times=MAX_NEW_TOKENS,
        num_threads=1,
        header_timeout=HEADER_SECONDS,
        body_timeout=BODY_SECONDS,
    ) as running:
        yield running


@pytest.fixture(scope="session")
def tiny_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_model(tmp_path_factory.mktemp("served") / "tiny")


@pytest.fixture(scope="session")
def tiny(tiny_path: Path) -> Iterator[TinyServer]:
    with tiny_server(tiny_path) as server:
        yield server
