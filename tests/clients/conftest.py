from collections.abc import Iterator

import pytest

from tests.real_server import RealServer, real_server


@pytest.fixture(scope="session")
def server() -> Iterator[RealServer]:
    """One server with the embedded model for all clients."""
    with real_server() as server:
        yield server
