"""How one engine is set up, and the facts of a model directory that need no weights."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import ModelLoadError
from engine.types import ModelInfo

_POSITION_KEYS = ("max_position_embeddings", "n_positions", "n_ctx", "max_sequence_length")
_VOCABULARY_KEYS = ("vocab_size", "padded_vocab_size")


@dataclass(frozen=True, slots=True, kw_only=True)
class WatermarkConfig:
    """The keyed green list of Kirchenbauer et al. 2023 (arXiv:2301.10226)."""

    hashing_key: int
    greenlist_ratio: float
    bias: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineConfig:
    """Everything an operator decides about one engine.

    ``max_num_seqs`` sequences run at once, ``max_waiting`` more may wait, which may become at most
    ``max_waiting_tokens`` tokens; one step computes at most ``max_num_batched_tokens`` tokens, and
    one of more than ``step_timeout`` seconds hangs. Beside sequences that decode, a step computes
    at most ``max_chunk_tokens`` of prompts; None chooses for the device. ``num_threads`` None means
    torch's own choice.
    Running sequences hold at most ``max_kv_tokens`` tokens of keys and values together; None plans
    that from ``kv_memory_fraction`` of the memory that is free once the model is loaded.
    Beside them ``max_prefix_tokens`` of ended sequences are kept for prompts that begin alike.
    A step computes at most ``max_draft_tokens`` guessed tokens of a sequence, if its decoder can.
    ``dtype`` is a torch dtype, "int8" for int8 weights and 16-bit activations, or "auto".
    Weights are read from safetensors only, unless ``allow_pickles``.
    ``decoder`` is "native" (C++), "exact" (int8 in plain torch), "transformers", or "auto": native
    where it was built and can run the model, else exact for int8, else transformers.
    """

    model_path: Path
    model_name: str
    model_version: str
    max_seq_len: int
    max_iter_times: int
    max_num_seqs: int
    max_num_batched_tokens: int
    max_chunk_tokens: int | None = None
    max_waiting: int
    max_waiting_tokens: int
    step_timeout: float
    max_kv_tokens: int | None
    kv_memory_fraction: float
    max_prefix_tokens: int
    max_draft_tokens: int
    device: str
    dtype: str
    num_threads: int | None
    decoder: str
    allow_pickles: bool
    watermark: WatermarkConfig

    def __post_init__(self) -> None:
        if self.max_num_batched_tokens < self.max_num_seqs:
            raise ValueError(
                f"max_num_batched_tokens ({self.max_num_batched_tokens}) must be at least"
                f" max_num_seqs ({self.max_num_seqs}), or a full batch could not decode"
            )


def read_model_info(config: EngineConfig) -> ModelInfo:
    """Read the model's config.json. Raises ModelLoadError where it does not describe a model."""
    document = _read_json(config.model_path, "config.json")
    text = document.get("text_config", document)
    max_position_embeddings = _positive_integer(text, _POSITION_KEYS)
    max_prompt_tokens = min(config.max_seq_len - config.max_iter_times, max_position_embeddings)
    if max_prompt_tokens < 1:
        raise ModelLoadError("max_seq_len must be greater than max_iter_times")
    return ModelInfo(
        name=config.model_name,
        version=config.model_version,
        platform=platform_of(config.decoder),
        vocab_size=_positive_integer(text, _VOCABULARY_KEYS),
        max_position_embeddings=max_position_embeddings,
        max_seq_len=config.max_seq_len,
        max_iter_times=config.max_iter_times,
        max_prompt_tokens=max_prompt_tokens,
        max_num_seqs=config.max_num_seqs,
        max_waiting=config.max_waiting,
        eos_token_ids=_eos_token_ids(config.model_path, text),
        architecture=(document.get("architectures") or [document.get("model_type", "unknown")])[0],
        device=config.device,
        dtype=config.dtype,
        decoder=config.decoder,
        is_load_invariant=False,  # not before it is known what computes it
    )


def platform_of(decoder: str) -> str:
    """What computes a model, and its format, in the protocol's ``<project>_<format>``.

    The exact decoder is torch; the native one is our own. Before the model is loaded, "auto" is
    taken for torch.
    """
    return "genspec_transformers" if decoder == "native" else "pytorch_transformers"


def _read_json(directory: Path, name: str) -> dict[str, Any]:
    try:
        document = json.loads((directory / name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelLoadError(f"the model directory {directory} has no {name}") from None
    except OSError as error:
        raise ModelLoadError(f"{name} of {directory} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise ModelLoadError(f"{name} of {directory} cannot be read: {error}") from error
    if not isinstance(document, dict):
        raise ModelLoadError(f"{name} of {directory} is not a JSON object")
    return document


def _positive_integer(document: dict[str, Any], keys: tuple[str, ...]) -> int:
    for key in keys:
        value = document.get(key)
        if isinstance(value, int) and value > 0:
            return value
    raise ModelLoadError(f"config.json has none of {', '.join(keys)}")


def _eos_token_ids(directory: Path, text_config: dict[str, Any]) -> tuple[int, ...]:
    # generation_config.json wins: chat models list their end-of-turn token only there.
    value = None
    if (directory / "generation_config.json").is_file():
        value = _read_json(directory, "generation_config.json").get("eos_token_id")
    if value is None:
        value = text_config.get("eos_token_id")
    if value is None:
        return ()
    return tuple(value) if isinstance(value, list) else (value,)
