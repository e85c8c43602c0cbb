"""Models with random weights in the shapes that are compared: speed does not depend on weights.

    python -m benchmarks.peers.models S DIRECTORY [--dtype bfloat16]

S has the shape of SmolLM2-135M, M that of Qwen2.5-0.5B. The weights are stored in float32, or in
bfloat16 as those of most real checkpoints, which decides how fast float32 is. The tokenizer is the
embedded model's, filled up to the size of the vocabulary.
"""

import argparse
import json
import shutil
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, LlamaConfig, PreTrainedConfig, Qwen2Config

from engine.hub import models_home, pull, resolve

EMBEDDED = "smollm2-135m-instruct"
_COMMON = {
    "tie_word_embeddings": True,
    "bos_token_id": 0,
    "eos_token_id": 0,
    "pad_token_id": 0,
}


def make_config(shape: str) -> PreTrainedConfig:
    if shape == "S":
        return LlamaConfig(
            hidden_size=576, num_hidden_layers=30, num_attention_heads=9, num_key_value_heads=3,
            intermediate_size=1536, vocab_size=49152, max_position_embeddings=8192,
            rope_theta=100000.0, rms_norm_eps=1e-5, **_COMMON,
        )  # fmt: skip
    return Qwen2Config(
        hidden_size=896, num_hidden_layers=24, num_attention_heads=14, num_key_value_heads=2,
        intermediate_size=4864, vocab_size=151936, max_position_embeddings=32768,
        rope_theta=1000000.0, rms_norm_eps=1e-6, **_COMMON,
    )  # fmt: skip


def write_tokenizer(directory: Path, vocab_size: int) -> None:
    source = resolve(EMBEDDED, models_home()) or pull(EMBEDDED)
    shutil.copy(source / "tokenizer_config.json", directory)
    document = json.loads((source / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = document["model"]["vocab"]
    for token_id in range(len(vocabulary), vocab_size):
        vocabulary[f"<filler {token_id}>"] = token_id
    (directory / "tokenizer.json").write_text(json.dumps(document), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shape", choices=("S", "M"))
    parser.add_argument("directory", type=Path)
    parser.add_argument("--dtype", choices=("float32", "bfloat16"), default="float32")
    options = parser.parse_args()
    torch.manual_seed(0)
    config = make_config(options.shape)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    model.to(getattr(torch, options.dtype)).save_pretrained(options.directory)
    write_tokenizer(options.directory, config.vocab_size)


if __name__ == "__main__":
    main()
