"""GGUF tensors become the right safetensors ones."""

from pathlib import Path
from typing import Any

import gguf
import numpy as np
import numpy.typing as npt
import pytest
from safetensors.numpy import load_file

from engine.hub import HubError, weights
from tests.engine.hub_models import HEADS, KV_HEADS, tiny_tensors, write_gguf

LLAMA_HEADS = {"attn_q": HEADS, "attn_k": KV_HEADS}


def interleave(rows: npt.NDArray[Any], num_heads: int) -> npt.NDArray[Any]:
    """What llama.cpp's converter does: row h, half, i of transformers becomes row h, i, half."""
    result = np.empty_like(rows)
    half = len(rows) // num_heads // 2
    for head in range(num_heads):
        for side in range(2):
            for i in range(half):
                first = head * 2 * half
                result[first + 2 * i + side] = rows[first + side * half + i]
    return result


def convert(path: Path, heads: dict[str, int]) -> tuple[dict[str, Any], list[tuple[int, int]]]:
    target = path.with_suffix(".safetensors")
    steps: list[tuple[int, int]] = []
    weights.write_weights(
        gguf.GGUFReader(path), target, heads, lambda done, total: steps.append((done, total))
    )
    return load_file(target), steps


@pytest.mark.parametrize("num_heads", [1, 2, 4])
def test_unpermute_undoes_the_interleaving_of_each_head(num_heads: int) -> None:
    rows = np.arange(16 * 3).reshape(16, 3)
    assert np.array_equal(weights.unpermute(interleave(rows, num_heads), num_heads), rows)


def test_query_and_key_rows_are_put_back_and_no_others(tmp_path: Path) -> None:
    write_gguf(tmp_path / "m.gguf", tiny_tensors())
    plain, _ = convert(tmp_path / "m.gguf", {})
    ordered, _ = convert(tmp_path / "m.gguf", LLAMA_HEADS)
    for name, values in plain.items():
        heads = {"q_proj": HEADS, "k_proj": KV_HEADS}.get(name.split(".")[-2])
        if heads is None:
            assert np.array_equal(ordered[name], values)
        else:
            assert np.array_equal(interleave(ordered[name], heads), values)
            assert not np.array_equal(ordered[name], values)


def test_matrices_are_rounded_to_float16_and_vectors_are_exact(tmp_path: Path) -> None:
    tensors = tiny_tensors(untied=True)
    write_gguf(tmp_path / "m.gguf", tensors)
    converted, _ = convert(tmp_path / "m.gguf", {})
    assert len(converted) == len(tensors)
    for name, values in tensors.items():
        result = converted[weights.tensor_name(name)]
        if values.ndim == 1:
            assert result.dtype == np.float32
            assert np.array_equal(result, values)
        else:
            quantized = gguf.quantize(values, gguf.GGMLQuantizationType.Q4_1)
            exact = gguf.dequantize(quantized, gguf.GGMLQuantizationType.Q4_1)
            assert np.array_equal(result, exact.astype(np.float16))


def test_the_file_does_not_depend_on_the_size_of_the_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_gguf(tmp_path / "m.gguf", tiny_tensors())
    convert(tmp_path / "m.gguf", LLAMA_HEADS)
    whole = (tmp_path / "m.safetensors").read_bytes()
    monkeypatch.setattr(weights, "_BLOCK_ROWS", 5)
    convert(tmp_path / "m.gguf", LLAMA_HEADS)
    assert (tmp_path / "m.safetensors").read_bytes() == whole


def test_progress_grows_to_the_total(tmp_path: Path) -> None:
    write_gguf(tmp_path / "m.gguf", tiny_tensors())
    converted, steps = convert(tmp_path / "m.gguf", {})
    done = [step[0] for step in steps]
    assert done == sorted(done)
    num_bytes = sum(values.nbytes for values in converted.values())
    assert {total for _, total in steps} == {done[-1]} == {num_bytes}


@pytest.mark.parametrize("name", ["rope_freqs.weight", "blk.0.ssm_in.weight", "output.bias"])
def test_a_tensor_of_an_unknown_kind_is_refused(name: str) -> None:
    with pytest.raises(HubError, match="unknown kind"):
        weights.tensor_name(name)


def test_a_value_beyond_float16_is_refused(tmp_path: Path) -> None:
    tensors = tiny_tensors()
    tensors["blk.0.attn_v.weight"][0, 0] = 70000
    write_gguf(tmp_path / "m.gguf", tensors)
    with (
        pytest.warns(RuntimeWarning, match="overflow"),
        pytest.raises(HubError, match="beyond float16"),
    ):
        convert(tmp_path / "m.gguf", {})
