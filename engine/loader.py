"""Loads a local transformers directory for serving, and checks that it computes what it should."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from transformers import AutoTokenizer, PreTrainedConfig
from transformers.models.auto.tokenization_auto import get_tokenizer_config
from transformers.utils import logging as transformers_logging

from engine import shapes
from engine.config import EngineConfig
from engine.decoders import pick_decoder
from engine.errors import ModelLoadError
from engine.packed_loader import DTYPES, PackedLoader
from engine.runner import Runner
from engine.types import ModelInfo

if TYPE_CHECKING:
    from engine.load_check import Checked


@dataclass(frozen=True, slots=True)
class LoadedModel:
    tokenizer: Any
    device: str
    dtype: str
    decoder: str
    runner: Runner
    num_mapped_bytes: int = 0  # of weights, which the system counts as free memory


def load(config: EngineConfig, info: ModelInfo) -> LoadedModel:
    """Load model and tokenizer from the directory; nothing is ever fetched or run from it.

    Raises ModelLoadError, with a reason that an operator can act on.
    """
    if config.num_threads is not None:
        torch.set_num_threads(config.num_threads)
    device = _pick_device(config.device)
    tokenizer = _read("tokenizer", load_tokenizer, config, {})
    max_positions = min(config.max_seq_len, info.max_position_embeddings) + 1
    decoder, dtype = pick_decoder(config), _pick_dtype(config.dtype, device)
    packed = None
    if decoder != "transformers" and device == "cpu" and dtype in DTYPES:
        packed = PackedLoader(config, dtype, decoder, max_positions)
        runner = packed.load()
        if runner is not None:
            return LoadedModel(tokenizer, device, dtype, decoder, runner, packed.num_mapped_bytes)
    model, checked = _load_model(config, device, dtype)
    if packed is not None and shapes.is_known(model):
        runner = packed.pack(model, checked)
        return LoadedModel(tokenizer, device, dtype, decoder, runner, packed.num_mapped_bytes)
    if dtype == "int8" or config.decoder not in ("auto", "transformers"):
        raise _not_supported(model, decoder)
    dtype = str(model.dtype).removeprefix("torch.")
    return LoadedModel(tokenizer, device, dtype, "transformers", checked.runner)


def _load_model(config: EngineConfig, device: str, dtype: str) -> "tuple[Any, Checked]":
    """A transformers model whose weights and attention have been checked."""
    # The model classes take seconds to import, and packed weights need none of them.
    from transformers import AutoModelForCausalLM

    from engine.attention import ATTENTION_NAME
    from engine.load_check import check_attention, check_complete, check_weights

    options = {
        # int8 weights are made from float32 ones.
        "dtype": "float32" if dtype == "int8" else dtype,
        "attn_implementation": ATTENTION_NAME,
        "use_safetensors": None if config.allow_pickles else True,
        "output_loading_info": True,
        "ignore_mismatched_sizes": True,  # they are refused below, by name
    }
    model, info = _read("model", AutoModelForCausalLM.from_pretrained, config, options)
    check_complete(info)
    model = model.to(device).eval()
    check_weights(model)
    return model, check_attention(model)


def load_tokenizer(path: Path, **options: Any) -> Any:
    """What AutoTokenizer makes of it.

    Where tokenizer_config.json names the class, only the model's type counts beside it: a plain
    config has that as well, and unlike the model's own brings in no model code: seconds of imports.
    """
    named = get_tokenizer_config(path, **options)
    if named.get("tokenizer_class") and "auto_map" not in named:
        options["config"] = PreTrainedConfig.from_pretrained(path, **options)
    return AutoTokenizer.from_pretrained(path, **options)


def _read(
    what: str, read: Callable[..., Any], config: EngineConfig, options: dict[str, Any]
) -> Any:
    transformers_logging.disable_progress_bar()
    transformers_logging.set_verbosity_error()  # what is wrong is said by us, in one line
    try:
        return read(config.model_path, local_files_only=True, trust_remote_code=False, **options)
    except Exception as error:  # transformers raises whatever its many parts raise
        raise ModelLoadError(f"the {what} cannot be loaded: {_first_line(error)}") from error


def _not_supported(model: Any, decoder: str) -> ModelLoadError:
    return ModelLoadError(
        f"{type(model).__name__} cannot run on the {decoder} decoder here, which int8 and"
        f" decoder={decoder} ask for"
    )


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _pick_device(device: str) -> str:
    if device != "auto":
        return device
    return "cuda" if torch.cuda.is_available() else "cpu"


def _pick_dtype(dtype: str, device: str) -> str:
    # Half precision is slower than float32 on most CPUs and less exact everywhere.
    return "float32" if dtype == "auto" and device == "cpu" else dtype
