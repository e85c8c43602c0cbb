from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from engine import EngineConfig, LocalEngine, WatermarkConfig
from tests.tiny_models import save_model

# Threads that spin against each other cost more on tiny models than they bring.
torch.set_num_threads(1)

MakeConfig = Callable[..., EngineConfig]


@pytest.fixture(scope="session")
def model_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="session")
def make_config(model_path: Path) -> MakeConfig:
    def make(**changes: Any) -> EngineConfig:
        defaults: dict[str, Any] = {
            "model_path": model_path,
            "model_name": "tiny",
            "model_version": "1",
            "max_seq_len": 256,
            "max_iter_times": 128,
            "max_num_seqs": 4,
            "max_num_batched_tokens": 16,
            "max_waiting": 8,
            "max_waiting_tokens": 100_000,
            "step_timeout": 60.0,
            "max_kv_tokens": None,
            "kv_memory_fraction": 0.5,
            "max_prefix_tokens": 1000,
            "max_draft_tokens": 5,
            "device": "cpu",
            "dtype": "float32",
            "num_threads": 1,
            "decoder": "auto",
            "allow_pickles": False,
            "watermark": WatermarkConfig(hashing_key=7, greenlist_ratio=0.5, bias=4.0),
        }
        return EngineConfig(**{**defaults, **changes})

    return make


@pytest.fixture(scope="module")
async def engine(make_config: MakeConfig) -> AsyncIterator[LocalEngine]:
    """One engine for all tests of a module that leave it as able as it was."""
    engine = LocalEngine(make_config())
    await engine.start()
    yield engine
    await engine.stop()


@pytest.fixture
async def fresh_engine(make_config: MakeConfig) -> AsyncIterator[LocalEngine]:
    """One that has done nothing yet, and may be broken."""
    engine = LocalEngine(make_config())
    await engine.start()
    yield engine
    await engine.stop()
