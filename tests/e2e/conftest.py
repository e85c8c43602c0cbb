"""The embedded model behind a real socket."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.hub import pull
from tests.embedded_server import LIGHT, EmbeddedServer
from tests.real_server import RealServer, real_server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.e2e)


@pytest.fixture(scope="session")
def model_path() -> Path:
    """The embedded model, fetched where it is not here yet."""
    return pull("smollm2-135m-instruct")


@pytest.fixture(scope="package")
def server(model_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """The settings that take the least of a machine on which other tests run too."""
    log = tmp_path_factory.mktemp("e2e") / "server.log"
    with real_server("smollm2-135m-instruct", log, **LIGHT) as running:
        yield running


@pytest.fixture(scope="package")
def as_it_comes(model_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    """What `make serve` starts: every setting as it comes."""
    log = tmp_path_factory.mktemp("as_it_comes") / "server.log"
    with real_server("smollm2-135m-instruct", log) as running:
        yield running


@pytest.fixture(scope="package")
def real(server: RealServer) -> EmbeddedServer:
    """The same one, for those who only want its address."""
    return EmbeddedServer(server.url, log=[])
