"""The tensors of a GGUF file as a safetensors file with the names that transformers uses."""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import gguf
import numpy as np
import numpy.typing as npt

from engine.hub.errors import HubError

_TOP_NAMES = {
    "token_embd": "model.embed_tokens",
    "output_norm": "model.norm",
    "output": "lm_head",
}
_LAYER_NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
_LAYER = re.compile(r"blk\.(\d+)\.(\w+)\.(weight|bias)")
_BLOCK_ROWS = 4096  # rows turned into floats at once: bounds the memory


def tensor_name(name: str) -> str:
    """The name in transformers of a GGUF tensor. Raises HubError for one it does not know."""
    stem, _, kind = name.rpartition(".")
    if stem in _TOP_NAMES and kind == "weight":
        return f"{_TOP_NAMES[stem]}.weight"
    match = _LAYER.fullmatch(name)
    if match is None or match[2] not in _LAYER_NAMES:
        raise HubError(f"the model file has a tensor of an unknown kind ({name[:64]!r})")
    return f"model.layers.{match[1]}.{_LAYER_NAMES[match[2]]}.{match[3]}"


def unpermute(rows: npt.NDArray[Any], num_heads: int) -> npt.NDArray[Any]:
    """Undo llama.cpp's interleaving of each head's rotary halves; rows may still be quantized.

    Takes and returns (num_heads * head_dim, ...). llama.cpp rotates neighbours, transformers
    rotates the first half of a head against the second.
    """
    split = rows.reshape(num_heads, -1, 2, *rows.shape[1:])
    return split.swapaxes(1, 2).reshape(rows.shape)


def write_weights(
    reader: Any, path: Path, heads: Mapping[str, int], progress: Callable[[int, int], None]
) -> None:
    """Write every tensor of a GGUF reader: matrices as float16, vectors exactly, as float32.

    ``heads`` gives the number of heads of the projections (``attn_q``, ``attn_k``) whose rows are
    interleaved. ``progress`` is told the bytes done and their total. One block of rows is in
    memory at a time. Raises OSError, HubError.
    """
    # float32 first, so that every tensor is aligned to its own size.
    tensors = sorted(reader.tensors, key=lambda tensor: (len(tensor.shape), tensor.name))
    header, total = _header(tensors)
    done = 0
    with path.open("wb") as out:
        _write_header(out, header)
        for tensor in tensors:
            for block in _blocks(tensor, heads):
                done += out.write(block.tobytes())
                progress(done, total)


def _header(tensors: Sequence[Any]) -> tuple[dict[str, object], int]:
    """The safetensors header of tensors written one after another, and their bytes in all."""
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    end = 0
    for tensor in tensors:
        shape = [int(size) for size in reversed(tensor.shape)]
        dtype = _stored_dtype(len(shape))
        start, end = end, end + math.prod(shape) * dtype.itemsize
        header[tensor_name(tensor.name)] = {
            "dtype": f"F{8 * dtype.itemsize}",
            "shape": shape,
            "data_offsets": [start, end],
        }
    return header, end


def _stored_dtype(num_dims: int) -> np.dtype[Any]:
    """Little-endian, as safetensors wants it. Norms and biases are few: they stay exact."""
    return np.dtype("<f2" if num_dims > 1 else "<f4")


def _write_header(out: BinaryIO, header: dict[str, object]) -> None:
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # safetensors aligns the data to 8 bytes
    out.write(len(text).to_bytes(8, "little") + text)


def _blocks(tensor: Any, heads: Mapping[str, int]) -> Iterator[npt.NDArray[Any]]:
    """The tensor's values in their stored type, some rows at a time."""
    rows = tensor.data
    kind = tensor.name.split(".")[-2]
    if kind in heads:
        rows = unpermute(rows, heads[kind])
    dtype = _stored_dtype(len(tensor.shape))
    for start in range(0, len(rows), _BLOCK_ROWS):
        values = gguf.dequantize(rows[start : start + _BLOCK_ROWS], tensor.tensor_type)
        block = values.astype(dtype)
        if not np.isfinite(block).all():
            raise HubError(f"the model file has a value beyond float16 ({tensor.name[:64]!r})")
        yield block
