"""Turn a GGUF file into an ordinary transformers directory."""

import json
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import gguf
import numpy as np

from engine.hub.errors import HubError
from engine.hub.registry import KnownModel
from engine.hub.tokenizer import build_tokenizer, special_token_ids
from engine.hub.weights import write_weights

_CLASSES = {"llama": "LlamaForCausalLM", "qwen2": "Qwen2ForCausalLM"}


class _Fields(dict[str, Any]):
    """Metadata of a GGUF file; a missing entry is the file's fault."""

    def __missing__(self, key: str) -> Any:
        raise HubError(f"the model file lacks {key}")


def convert(
    model: KnownModel, gguf_path: Path, directory: Path, progress: Callable[[int, int], None]
) -> None:
    """Write config, tokenizer, chat template, licence and weights into ``directory``.

    ``progress`` is told the bytes of weights done and their total. Raises HubError, OSError.
    """
    reader = gguf.GGUFReader(gguf_path)
    fields = _Fields({key: field.contents() for key, field in reader.fields.items()})
    config = _config(fields, {tensor.name for tensor in reader.tensors}, model.compute_dtype)
    _write_json(directory / "config.json", config)
    _write_json(directory / "generation_config.json", _generation_config(fields))
    _write_tokenizer(fields, directory)
    _write_notices(model, directory)
    heads = {}
    if config["model_type"] == "llama":
        heads = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}
    write_weights(reader, directory / "model.safetensors", heads, progress)
    directory.chmod(0o755)
    for path in directory.iterdir():
        path.chmod(0o644)


def _config(fields: Mapping[str, Any], tensors: set[str], dtype: str) -> dict[str, Any]:
    kind = fields["general.architecture"]
    if kind not in _CLASSES:
        raise HubError(f"the model file has an unknown architecture ({kind[:32]!r})")
    num_heads = fields[f"{kind}.attention.head_count"]
    hidden_size = fields[f"{kind}.embedding_length"]
    config = {
        "architectures": [_CLASSES[kind]],
        "model_type": kind,
        "vocab_size": len(fields["tokenizer.ggml.tokens"]),
        "hidden_size": hidden_size,
        "intermediate_size": fields[f"{kind}.feed_forward_length"],
        "num_hidden_layers": fields[f"{kind}.block_count"],
        "num_attention_heads": num_heads,
        "num_key_value_heads": fields[f"{kind}.attention.head_count_kv"],
        "head_dim": hidden_size // num_heads,
        "max_position_embeddings": fields[f"{kind}.context_length"],
        "rms_norm_eps": _shortest(fields[f"{kind}.attention.layer_norm_rms_epsilon"]),
        "rope_parameters": {
            "rope_type": "default",
            "rope_theta": _shortest(fields[f"{kind}.rope.freq_base"]),
        },
        "hidden_act": "silu",
        "tie_word_embeddings": "output.weight" not in tensors,
        "dtype": dtype,
    }
    return config | _token_ids(fields)


def _shortest(value: float) -> float:
    """The decimal that was meant by a 32-bit float: 1e-05, not 9.999999747378752e-06."""
    return float(str(np.float32(value)))


def _token_ids(fields: Mapping[str, Any]) -> dict[str, int]:
    ids = special_token_ids(fields)
    return {
        f"{role}_id": ids[role] for role in ("bos_token", "eos_token", "pad_token") if role in ids
    }


def _generation_config(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Both ends of a text: that of a chat turn, and that of a document, which GGUF leaves out."""
    ids: dict[str, Any] = dict(_token_ids(fields))
    tokens = fields["tokenizer.ggml.tokens"]
    eos = [ids["eos_token_id"]]
    if "<|endoftext|>" in tokens:
        eos.append(tokens.index("<|endoftext|>"))
    ids["eos_token_id"] = list(dict.fromkeys(eos))
    return ids


def _write_tokenizer(fields: Mapping[str, Any], directory: Path) -> None:
    # Written here, since a full disk makes the tokenizer's own method raise what says nothing.
    text = build_tokenizer(fields).to_str(pretty=True)
    (directory / "tokenizer.json").write_text(text, encoding="utf-8")
    tokens = fields["tokenizer.ggml.tokens"]
    config: dict[str, Any] = {
        # This class alone takes tokenizer.json as it is; model-named ones rebuild parts of it.
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": fields[f"{fields['general.architecture']}.context_length"],
        "clean_up_tokenization_spaces": False,
    }
    config |= {role: tokens[token_id] for role, token_id in special_token_ids(fields).items()}
    _write_json(directory / "tokenizer_config.json", config)
    template = directory / "chat_template.jinja"
    template.write_text(fields["tokenizer.chat_template"], encoding="utf-8")


def _write_notices(model: KnownModel, directory: Path) -> None:
    licence = resources.files("engine.hub").joinpath(f"{model.license.lower()}.txt").read_bytes()
    (directory / "LICENSE").write_bytes(licence)
    packages = " to ".join(dict.fromkeys((model.parts[0].requirement, model.parts[-1].requirement)))
    notice = (
        f"{model.title} by {model.author}\n{model.source}\nLicence: {model.license}\n\n"
        "Changed from the original: quantized to GGUF by others, taken from the Python packages\n"
        f"{packages},\n"
        "then expanded by genspec to float16 and stored in the layout of transformers.\n"
    )
    (directory / "NOTICE").write_text(notice, encoding="utf-8")


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
