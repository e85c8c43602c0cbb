from collections.abc import Iterator

import pytest

from tests.tiny_models import save_model
from tests.tiny_server import TinyServer, tiny_server


@pytest.fixture(scope="package")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TinyServer]:
    with tiny_server(save_model(tmp_path_factory.mktemp("sdk") / "tiny")) as server:
        yield server
