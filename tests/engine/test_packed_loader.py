"""Runners of packed weights, as a first start makes them and later ones find them."""

from pathlib import Path
from typing import Any

import pytest
import torch

from engine.attention import ATTENTION_NAME
from engine.decoders import make_decoder
from engine.load_check import check_attention
from engine.native import is_available
from engine.packed_loader import DTYPES, PackedLoader
from tests.engine.conftest import MakeConfig
from tests.engine.packed_runners import every, last_logits
from tests.tiny_models import NATIVE_SIZES, make_model

pytestmark = pytest.mark.skipif(not is_available(), reason="built without a compiler")


def make_loaded_model(directory: Path) -> Any:
    model = make_model("qwen3", **NATIVE_SIZES)
    model.save_pretrained(directory)
    model.set_attn_implementation(ATTENTION_NAME)
    return model


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_next_start_computes_the_same_and_tells_what_is_mapped(
    make_config: MakeConfig, tmp_path: Path, dtype: str
) -> None:
    model = make_loaded_model(tmp_path)
    config = make_config(model_path=tmp_path)
    first = PackedLoader(config, dtype, "native", 64)
    assert first.load() is None
    assert first.num_mapped_bytes == 0
    expected = last_logits(first.pack(model, check_attention(model)), 20, 1, every(16))

    later = PackedLoader(config, dtype, "native", 64)
    runner = later.load()

    assert runner is not None
    assert torch.equal(last_logits(runner, 20, 1, every(16)), expected)
    [file] = (tmp_path / ".genspec").iterdir()
    assert 0.8 * file.stat().st_size < later.num_mapped_bytes < file.stat().st_size
    assert first.num_mapped_bytes == later.num_mapped_bytes


def test_a_first_start_without_room_for_a_second_team_goes_on_with_the_first(
    make_config: MakeConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = make_loaded_model(tmp_path)
    calls = []

    def make_one(*args: Any, **options: Any) -> Any:
        calls.append(args)
        if len(calls) > 1:
            raise MemoryError("no memory for a second team")
        return make_decoder(*args, **options)

    monkeypatch.setattr("engine.packed_loader.make_decoder", make_one)
    loader = PackedLoader(make_config(model_path=tmp_path), "int8", "native", 64)

    runner = loader.pack(model, check_attention(model))

    assert len(calls) == 2
    assert loader.num_mapped_bytes == 0
    assert last_logits(runner, 5, 1, every(16)).isfinite().all()
