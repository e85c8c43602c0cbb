"""Model directories that are broken in one way each: one line says which file, and what it has."""

import json
import os
import resource
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from engine import LocalEngine, ModelLoadError
from tests.engine.conftest import MakeConfig
from tests.tiny_models import NATIVE_SIZES, save_model

Break = Callable[[Path], None]
WEIGHTS = "model.safetensors"
NORM = "model.norm.weight"
FILES = (WEIGHTS, "tokenizer.json", "tokenizer_config.json", "config.json")


def cut(name: str, keep: float) -> Break:
    def cut_file(directory: Path) -> None:
        os.truncate(directory / name, int((directory / name).stat().st_size * keep))

    return cut_file


def unreadable(name: str) -> Break:
    """A link to itself, which nobody can read, not even root."""

    def link(directory: Path) -> None:
        (directory / name).unlink()
        (directory / name).symlink_to(name)

    return link


def weights(change: Callable[[dict[str, torch.Tensor]], object]) -> Break:
    def rewrite(directory: Path) -> None:
        tensors = load_file(directory / WEIGHTS)
        change(tensors)
        save_file(tensors, directory / WEIGHTS, metadata={"format": "pt"})

    return rewrite


def architecture(directory: Path) -> None:
    document = json.loads((directory / "config.json").read_text())
    document |= {"model_type": "xyzzy", "architectures": ["XyzzyForCausalLM"]}
    (directory / "config.json").write_text(json.dumps(document))


def lost_shard(directory: Path) -> None:
    index = {"weight_map": {NORM: "model-00001-of-00002.safetensors"}}
    (directory / "model.safetensors.index.json").write_text(json.dumps(index))


def pickled(directory: Path) -> None:
    torch.save(load_file(directory / WEIGHTS), directory / "pytorch_model.bin")
    (directory / WEIGHTS).unlink()


def not_finite(tensors: dict[str, torch.Tensor]) -> None:
    tensors[NORM][0] = float("nan")


CASES: dict[str, tuple[Break, str]] = {
    **{f"{name} cut": (cut(name, 0.5), name) for name in FILES},
    **{f"{name} empty": (cut(name, 0), name) for name in FILES},
    **{f"{name} unreadable": (unreadable(name), f"{name}.* cannot be read") for name in FILES},
    "architecture": (architecture, "`xyzzy`"),
    "not finite": (weights(not_finite), "the weights of model.norm.weight are not finite"),
    "missing": (weights(lambda tensors: tensors.pop(NORM)), f"is missing for {NORM}"),
    "shape": (
        weights(lambda tensors: tensors.update({NORM: torch.ones(5)})),
        f"has another shape than {NORM}",
    ),
    "shard": (lost_shard, "model-00001-of-00002.safetensors cannot be read: No such file"),
    "pickle": (pickled, "its weights are pickles"),
}


@pytest.mark.parametrize("name", CASES)
async def test_a_broken_directory_is_refused_and_the_reason_names_what_is_broken(
    make_config: MakeConfig,
    model_path: Path,
    tmp_path: Path,
    name: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    break_it, reason = CASES[name]
    broken = shutil.copytree(model_path, tmp_path / "broken")
    break_it(broken)
    with pytest.raises(ModelLoadError, match=reason) as caught:
        await LocalEngine(make_config(model_path=broken)).start()
    assert "\n" not in str(caught.value)
    assert "Traceback" not in caplog.text  # no fault of ours


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
async def test_a_file_without_permission_is_named(
    make_config: MakeConfig, model_path: Path, tmp_path: Path
) -> None:
    broken = shutil.copytree(model_path, tmp_path / "broken")
    (broken / WEIGHTS).chmod(0)
    with pytest.raises(ModelLoadError, match=r"safetensors cannot be read: Permission"):
        await LocalEngine(make_config(model_path=broken)).start()


async def test_a_disk_that_is_full_loses_the_packed_weights_and_nothing_else(
    make_config: MakeConfig, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The limit on the size of files fails the write in its middle, as a full disk does."""
    directory = save_model(tmp_path / "model", **NATIVE_SIZES)
    engine = LocalEngine(make_config(model_path=directory, dtype="int8"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (16384, hard))
    try:
        await engine.start()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert await engine.ready()
    await engine.stop()
    [warning] = [record.getMessage() for record in caplog.records]
    assert warning.startswith("the packed weights are not kept")
    assert "too large" in warning
    assert list((directory / ".genspec").iterdir()) == []
