from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tiny_models import save_model
from tests.tiny_server import TinyServer, tiny_server


@pytest.fixture(scope="session")
def tiny_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_model(tmp_path_factory.mktemp("served") / "tiny")


@pytest.fixture(scope="session")
def tiny(tiny_path: Path) -> Iterator[TinyServer]:
    with tiny_server(tiny_path) as server:
        yield server
