from collections.abc import AsyncIterator

import pytest

from engine import RayEngine
from tests.engine.conftest import MakeConfig, make_config, model_path
from tests.replicas.in_process import in_process

__all__ = ["make_config", "model_path"]


@pytest.fixture(scope="module")
async def engine(make_config: MakeConfig) -> AsyncIterator[RayEngine]:
    """Two replicas with a tiny model, without Ray."""
    engine, _ = in_process(make_config(), 2)
    await engine.start()
    yield engine
    await engine.stop()
