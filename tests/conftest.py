import os

# Before torch is imported anywhere: spinning OpenMP threads starve whatever runs beside them.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.checked_once import documents_checked_once
from tests.embedded_server import EmbeddedServer, embedded_server

# How long an example takes says how busy the machine is.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

# Each of their tests starts a server of its own: left out of the daily check.
_MANY_SERVERS = (
    "sdk",
    "telemetry",
    "console",
    "replicas",
    "app/test_limits.py",
    "app/test_lingering.py",
    "app/test_lifecycle.py",
    "app/test_streams.py",
    "app/test_stream_ends.py",
    "app/test_cross_site.py",
    "app/test_tls.py",
    "app/test_key_limits.py",
    "app/test_idempotency.py",
)
# Folders that share the server, and the clients' environments, of another.
_WITH = {"docs": "clients"}


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        path = item.path.relative_to(here)
        if path.as_posix().startswith(_MANY_SERVERS):
            item.add_marker(pytest.mark.slow)
        # A folder has one server for all its tests: `--dist loadgroup` keeps them in one process.
        fixtures = set(getattr(item, "fixturenames", ()))
        if {"server", "as_it_comes", "real", "installed", "chromium"} & fixtures:
            group = _WITH.get(path.parts[0], path.parts[0])
            item.add_marker(pytest.mark.xdist_group(group))


@pytest.fixture(scope="session", autouse=True)
def _checked_once() -> Iterator[None]:
    with documents_checked_once():
        yield


@pytest.fixture(scope="session")
def real() -> Iterator[EmbeddedServer]:
    """One server with the embedded model for every test that needs one.

    Its texts are those of `make serve`, which the pages show: no bit depends on the threads.
    """
    with embedded_server(num_threads=1) as server:
        yield server
