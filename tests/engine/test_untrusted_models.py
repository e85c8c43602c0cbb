"""Model directories that would run code: none is run, and pickles are refused."""

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from engine import LocalEngine, ModelLoadError
from tests.engine.conftest import MakeConfig


class Touch:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Path.touch, (self._path,)


@pytest.fixture
def pickled(model_path: Path, tmp_path: Path) -> Path:
    """The tiny model with its weights in a pickle."""
    copy = Path(shutil.copytree(model_path, tmp_path / "pickled"))
    torch.save(load_file(copy / "model.safetensors"), copy / "pytorch_model.bin")
    (copy / "model.safetensors").unlink()
    return copy


async def test_a_directory_with_pickles_only_is_refused(
    make_config: MakeConfig, pickled: Path
) -> None:
    with pytest.raises(ModelLoadError, match=r"pickles \(pytorch_model.bin\).*allow_pickles=true"):
        await LocalEngine(make_config(model_path=pickled)).start()


async def test_pickles_are_read_where_the_operator_says_so(
    make_config: MakeConfig, pickled: Path
) -> None:
    engine = LocalEngine(make_config(model_path=pickled, allow_pickles=True))
    await engine.start()
    assert await engine.ready()
    await engine.stop()


async def test_no_code_of_a_pickle_is_run_even_then(
    make_config: MakeConfig, pickled: Path, tmp_path: Path
) -> None:
    marker = tmp_path / "marker"
    (pickled / "pytorch_model.bin").write_bytes(pickle.dumps({"a": Touch(marker)}))
    with pytest.raises(ModelLoadError):
        await LocalEngine(make_config(model_path=pickled, allow_pickles=True)).start()
    assert not marker.exists()


@pytest.mark.parametrize("model_type", ["llama", "unheard_of"])
async def test_no_module_of_a_model_directory_is_run(
    make_config: MakeConfig, model_path: Path, tmp_path: Path, model_type: str
) -> None:
    copy = Path(shutil.copytree(model_path, tmp_path / "custom"))
    marker = tmp_path / "marker"
    (copy / "custom.py").write_text(f"open({str(marker)!r}, 'w')\n")
    config = json.loads((copy / "config.json").read_text())
    config |= {
        "model_type": model_type,
        "auto_map": {"AutoConfig": "custom.Config", "AutoModelForCausalLM": "custom.Model"},
    }
    (copy / "config.json").write_text(json.dumps(config))
    engine = LocalEngine(make_config(model_path=copy))
    if model_type == "llama":
        await engine.start()
        await engine.stop()
    else:
        with pytest.raises(ModelLoadError):
            await engine.start()
    assert not marker.exists()
