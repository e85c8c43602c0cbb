from collections.abc import Iterator

import pytest

from tests.real_server import RealServer, real_server


@pytest.fixture(scope="session")
def real() -> Iterator[RealServer]:
    with real_server() as server:
        yield server
