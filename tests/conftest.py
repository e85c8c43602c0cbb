import os

# Before torch is imported anywhere: spinning OpenMP threads starve whatever runs beside them.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

from collections.abc import Iterator

import pytest

from tests.embedded_server import EmbeddedServer, embedded_server


@pytest.fixture(scope="session")
def real() -> Iterator[EmbeddedServer]:
    """One server with the embedded model for every test that needs one."""
    with embedded_server() as server:
        yield server
