"""Writes a Llama or Qwen2 directory as a GGUF file for llama.cpp, without a tokenizer.

python -m benchmarks.peers.gguf_model DIRECTORY FILE --type Q8_0
"""

import argparse
from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType
from numpy.typing import NDArray
from safetensors import safe_open
from transformers import AutoConfig, PreTrainedConfig

_ARCHITECTURES = {"llama": gguf.MODEL_ARCH.LLAMA, "qwen2": gguf.MODEL_ARCH.QWEN2}


def write_facts(writer: gguf.GGUFWriter, config: PreTrainedConfig) -> None:
    heads = config.num_attention_heads
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_rope_dimension_count(config.hidden_size // heads)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(config.vocab_size)
    writer.add_tokenizer_model("no_vocab")


def interleave(weight: NDArray[np.float32], num_heads: int) -> NDArray[np.float32]:
    """Rows in the order of llama.cpp's rotary embedding: the two of a pair side by side."""
    halves = weight.reshape(num_heads, 2, -1, *weight.shape[1:])
    return halves.swapaxes(1, 2).reshape(weight.shape)


def write(directory: Path, file: Path, kind: GGMLQuantizationType) -> None:
    config = AutoConfig.from_pretrained(directory)
    architecture = _ARCHITECTURES[config.model_type]
    names = gguf.get_tensor_name_map(architecture, config.num_hidden_layers)
    writer = gguf.GGUFWriter(file, gguf.MODEL_ARCH_NAMES[architecture])
    write_facts(writer, config)
    heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}
    for shard in sorted(directory.glob("*.safetensors")):
        with safe_open(shard, framework="pt") as tensors:
            for name in tensors.keys():
                array = tensors.get_tensor(name).float().numpy()
                layer = name.split(".")[-2]
                if config.model_type == "llama" and layer in heads:
                    array = interleave(array, heads[layer])
                # As llama.cpp's own converter: vectors stay as they are.
                stored = kind if array.ndim > 1 else GGMLQuantizationType.F32
                writer.add_tensor(
                    names.get_name(name, try_suffixes=(".weight", ".bias")),
                    gguf.quants.quantize(array, stored),
                    raw_dtype=stored,
                )
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--type", choices=("F32", "F16", "BF16", "Q8_0"), default="Q8_0")
    options = parser.parse_args()
    write(options.directory, options.file, GGMLQuantizationType[options.type])


if __name__ == "__main__":
    main()
