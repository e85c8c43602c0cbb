import copy
import json
import os
import shutil
import time
from pathlib import Path

import pytest
import torch

from engine.packed_store import PackedStore
from engine.packing import PackedWeights, pack
from tests.small_disk import small_disk
from tests.tiny_models import NATIVE_SIZES, make_model


@pytest.fixture
def model_directory(tmp_path: Path) -> Path:
    make_model("llama", **NATIVE_SIZES).save_pretrained(tmp_path)
    return tmp_path


def make_weights(architecture: str = "llama") -> PackedWeights:
    return pack(make_model(architecture, **NATIVE_SIZES), quantize=True, max_positions=32)


@pytest.mark.parametrize("architecture", ["llama", "gemma3_text", "gpt2"])
def test_weights_come_back_as_they_were_saved(model_directory: Path, architecture: str) -> None:
    weights = make_weights(architecture)
    assert PackedStore(model_directory, "int8", 32).load() is None
    PackedStore(model_directory, "int8", 32).save(weights)
    loaded = PackedStore(model_directory, "int8", 32).load()
    assert loaded is not None
    assert loaded.sizes == weights.sizes
    assert loaded.tensors.keys() == weights.tensors.keys()
    for name, tensor in weights.tensors.items():
        assert torch.equal(loaded.tensors[name], tensor)


def test_another_model_or_limit_does_not_find_them(model_directory: Path) -> None:
    PackedStore(model_directory, "int8", 32).save(make_weights())
    assert PackedStore(model_directory, "int8", 33).load() is None
    config = model_directory / "config.json"
    config.write_text(config.read_text() + "\n")
    assert PackedStore(model_directory, "int8", 32).load() is None


def test_saving_again_leaves_one_file(model_directory: Path) -> None:
    for max_positions in (16, 32, 32):
        PackedStore(model_directory, "int8", max_positions).save(make_weights())
    assert len(list((model_directory / ".genspec").iterdir())) == 1


def test_a_damaged_file_is_as_none(model_directory: Path) -> None:
    store = PackedStore(model_directory, "int8", 32)
    store.save(make_weights())
    (path,) = (model_directory / ".genspec").iterdir()
    path.write_bytes(path.read_bytes()[:1000])
    assert store.load() is None


def test_a_directory_that_cannot_be_written_is_no_fault(
    model_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object, **_options: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("engine.packed_store.save_file", full)
    store = PackedStore(model_directory, "int8", 32)
    store.save(make_weights())
    assert store.load() is None
    assert list((model_directory / ".genspec").iterdir()) == []
    shutil.rmtree(model_directory / ".genspec")


def test_a_disk_that_is_full_is_no_fault(
    model_directory: Path,
    tmp_path_factory: pytest.TempPathFactory,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A real one, with room for the model and for a part of the weights, or none of them."""
    weights = make_weights()
    folder = tmp_path_factory.mktemp("small")
    size = sum(path.stat().st_size for path in model_directory.iterdir()) >> 10
    for kibibytes in (16, 64):
        with small_disk(folder, size + kibibytes):
            shutil.copytree(model_directory, folder, dirs_exist_ok=True)
            store = PackedStore(folder, "int8", 32)
            store.save(weights)
            assert store.load() is None
            assert list((folder / ".genspec").iterdir()) == []
    assert [record.message.count("No space left on device") for record in caplog.records] == [1, 1]


@pytest.mark.parametrize("name", ["model.safetensors", "pytorch_model.bin", "config.json"])
def test_whatever_file_of_the_model_changes_they_are_not_found(
    model_directory: Path, name: str
) -> None:
    PackedStore(model_directory, "int8", 32).save(make_weights())
    with (model_directory / name).open("ab") as file:
        file.write(b"\n")
    assert PackedStore(model_directory, "int8", 32).load() is None


@pytest.mark.parametrize("change", ["shard", "index"])
def test_shards_in_folders_and_the_index_that_names_them_count_too(
    model_directory: Path, change: str
) -> None:
    index = model_directory / "model.safetensors.index.json"
    (model_directory / "shards").mkdir()
    for name in ("a", "b"):
        shutil.copy(model_directory / "model.safetensors", model_directory / f"shards/{name}")
    (model_directory / "model.safetensors").unlink()
    index.write_text(json.dumps({"weight_map": {"lm_head.weight": "shards/a"}}))
    PackedStore(model_directory, "int8", 32).save(make_weights())
    assert PackedStore(model_directory, "int8", 32).load() is not None
    if change == "index":
        index.write_text(index.read_text().replace("shards/a", "shards/b"))
    else:
        with (model_directory / "shards/a").open("ab") as file:
            file.write(b"1")
    assert PackedStore(model_directory, "int8", 32).load() is None


def test_files_that_are_not_the_models_do_not_count(model_directory: Path) -> None:
    PackedStore(model_directory, "int8", 32).save(make_weights())
    (model_directory / "training.bin").symlink_to("nowhere")
    (model_directory / "other.safetensors").mkdir()
    (model_directory / "pytorch_model.bin").mkdir()
    assert PackedStore(model_directory, "int8", 32).load() is not None


@pytest.mark.parametrize("index", ["damaged", '{"weight_map": {"a": "/dev/null"}}', "[]"])
def test_an_index_that_nobody_loads_is_no_fault(model_directory: Path, index: str) -> None:
    (model_directory / "pytorch_model.bin.index.json").write_text(index)
    PackedStore(model_directory, "int8", 32).save(make_weights())
    assert PackedStore(model_directory, "int8", 32).load() is not None


def test_who_may_read_the_model_may_read_them(model_directory: Path) -> None:
    for mode in (0o644, 0o640):
        (model_directory / "config.json").chmod(mode)
        shutil.rmtree(model_directory / ".genspec", ignore_errors=True)
        PackedStore(model_directory, "int8", 32).save(make_weights())
        [path] = (model_directory / ".genspec").iterdir()
        assert path.stat().st_mode & 0o777 == mode


def test_tensors_that_overlap_cannot_be_kept_and_are_no_fault(
    model_directory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    weights = make_weights()
    shared = weights.tensors["final_norm"]
    twice = {**weights.tensors, "layers.0.input_norm": shared, "layers.1.input_norm": shared[1:]}
    PackedStore(model_directory, "int8", 32).save(PackedWeights(weights.sizes, twice))
    assert "not kept" in caplog.text
    assert PackedStore(model_directory, "int8", 32).load() is None
    assert list((model_directory / ".genspec").iterdir()) == []


def test_what_others_are_writing_stays_and_what_nobody_ended_goes(model_directory: Path) -> None:
    folder = model_directory / ".genspec"
    folder.mkdir()
    for name, age in (("young.part", 60), ("old.part", 100_000)):
        (folder / name).touch()
        os.utime(folder / name, (time.time() - age,) * 2)
    PackedStore(model_directory, "int8", 32).save(make_weights())
    assert {path.name for path in folder.glob("*.part")} == {"young.part"}


def test_a_file_that_is_replaced_while_it_is_opened_is_as_none(
    model_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replaced(*_args: object, **_options: object) -> None:
        raise RuntimeError("unable to open file in read-only mode")

    PackedStore(model_directory, "int8", 32).save(make_weights())
    monkeypatch.setattr("engine.packed_store.safe_open", replaced)
    assert PackedStore(model_directory, "int8", 32).load() is None


def test_weights_of_each_dtype_are_kept_side_by_side(model_directory: Path) -> None:
    model = make_model("llama", **NATIVE_SIZES)
    kept = {
        dtype: pack(copy.deepcopy(model), quantize=dtype == "int8", max_positions=32)
        for dtype in ("int8", "float32")
    }
    for dtype, weights in kept.items():
        PackedStore(model_directory, dtype, 32).save(weights)
    for dtype, weights in kept.items():
        loaded = PackedStore(model_directory, dtype, 32).load()
        assert loaded is not None
        assert loaded.is_quantized is weights.is_quantized


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_weights_are_halved_only_where_nothing_is_lost(dtype: torch.dtype) -> None:
    model = make_model("llama", hidden_size=64, head_dim=16)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.view(-1)[0] = 2.0**-100 if dtype is torch.bfloat16 else 1.0
    model = model.to(dtype).float()
    embeddings = model.get_input_embeddings().weight.detach().clone()
    weights = pack(model, quantize=False, max_positions=32)
    for name, tensor in weights.tensors.items():
        if name == "embeddings" or name.endswith("gate_up.weights"):
            assert tensor.dtype == dtype
    assert torch.equal(weights.tensors["embeddings"].float(), embeddings)
