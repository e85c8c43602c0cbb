"""One real server over a tiny random model, for all tests of the wire contract."""

from collections.abc import Iterator

import pytest

from tests.real_server import RealServer, real_server
from tests.tiny_models import save_model

# Short, so that tests of slow clients are fast ones; an ordinary request needs milliseconds.
HEADER_SECONDS, BODY_SECONDS = 0.8, 1.8
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
