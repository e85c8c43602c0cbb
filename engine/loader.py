"""Loads a local transformers directory for serving, and checks that it computes what it should."""

import logging
from dataclasses import dataclass
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging as transformers_logging

from engine import fused_runner
from engine.attention import ATTENTION_NAME, UnsupportedAttentionError
from engine.config import EngineConfig
from engine.errors import ModelLoadError
from engine.model_runner import ModelRunner, Runner
from engine.scheduler import Span
from engine.sequence import Sequence
from engine.types import SamplingParams

logger = logging.getLogger(__name__)

# Of the largest logit; float32 differs by 1e-6, bfloat16 by a few 1e-2.
_TOLERANCE = {torch.float32: 1e-3, torch.float16: 2e-2, torch.bfloat16: 1e-1}
_INT8_TOLERANCE = 2e-1


@dataclass(frozen=True, slots=True)
class LoadedModel:
    tokenizer: Any
    device: str
    dtype: str
    decoder: str
    runner: Runner


def load(config: EngineConfig) -> LoadedModel:
    """Load model and tokenizer from the directory; nothing is ever fetched or run from it.

    Raises ModelLoadError, with a reason that an operator can act on.
    """
    if config.num_threads is not None:
        torch.set_num_threads(config.num_threads)
    transformers_logging.disable_progress_bar()
    device = _pick_device(config.device)
    dtype = _pick_dtype(config.dtype, device)
    try:
        tokenizer = AutoTokenizer.from_pretrained(config.model_path, local_files_only=True)
        model = AutoModelForCausalLM.from_pretrained(
            config.model_path,
            dtype=dtype,
            attn_implementation=ATTENTION_NAME,
            local_files_only=True,
            use_safetensors=True,
        )
    except Exception as error:  # transformers raises whatever its many parts raise
        raise ModelLoadError(f"the model cannot be loaded: {_first_line(error)}") from error
    model = model.to(device).eval()
    _check_weights(model)
    reference = check_attention(model)
    dtype = "int8" if config.dtype == "int8" else str(model.dtype).removeprefix("torch.")
    runner = _make_runner(config, model, reference)
    is_native = isinstance(runner, fused_runner.FusedRunner)
    decoder = "native" if is_native else "transformers"
    return LoadedModel(tokenizer, device, dtype, decoder, runner)


def _make_runner(config: EngineConfig, model: Any, reference: torch.Tensor) -> Runner:
    is_native = config.decoder != "transformers" and fused_runner.supports(model)
    is_int8 = config.dtype == "int8"
    if not is_native and (is_int8 or config.decoder == "native"):
        raise ModelLoadError(
            f"{type(model).__name__} cannot run on the native decoder here, and only that one"
            " computes in int8"
        )
    if not is_native:
        return ModelRunner(model)
    runner = fused_runner.make(
        model,
        quantize=is_int8,
        max_tokens=config.max_num_batched_tokens,
        max_positions=min(config.max_seq_len, model.config.max_position_embeddings) + 1,
        num_threads=torch.get_num_threads(),
    )
    ours = _last_logits_in_chunks(runner, _check_token_ids(model))
    _compare(model, ours, reference, _INT8_TOLERANCE if is_int8 else _TOLERANCE[torch.float32])
    return runner


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _pick_device(device: str) -> str:
    if device != "auto":
        return device
    return "cuda" if torch.cuda.is_available() else "cpu"


def _pick_dtype(dtype: str, device: str) -> str:
    # Half precision is slower than float32 on most CPUs and less exact everywhere; int8 weights
    # are made from float32 ones.
    return "float32" if dtype == "int8" or (dtype == "auto" and device == "cpu") else dtype


def _check_weights(model: torch.nn.Module) -> None:
    for name, parameter in model.named_parameters():
        if not torch.isfinite(parameter).all():
            raise ModelLoadError(f"the weights of {name} are not finite")


def check_attention(model: Any) -> torch.Tensor:
    """Compare our packed, cached, chunked forward pass with transformers' own on a few tokens.

    A model that does not call the registered attention function, or whose attention needs more
    than it offers, is refused here instead of answering wrongly. Returns transformers' logits [V].
    """
    token_ids = _check_token_ids(model)
    try:
        ours = _last_logits_in_chunks(ModelRunner(model), token_ids)
        model.set_attn_implementation("eager")
        with torch.inference_mode():
            ids = torch.tensor([token_ids], device=model.device)
            reference: torch.Tensor = model(input_ids=ids, use_cache=False).logits[0, -1].float()
    except (UnsupportedAttentionError, LookupError, TypeError, ValueError) as error:
        raise ModelLoadError(
            f"{type(model).__name__} is not supported: its attention"
            " cannot run on the packed KV cache"
        ) from error
    finally:
        model.set_attn_implementation(ATTENTION_NAME)
    _compare(model, ours, reference, _TOLERANCE.get(model.dtype, 1e-1))
    return reference


def _compare(model: Any, ours: torch.Tensor, reference: torch.Tensor, tolerance: float) -> None:
    difference = float((ours - reference).abs().max() / reference.abs().max().clamp_min(1e-6))
    logger.debug("attention check: largest relative difference %.1e", difference)
    if not difference < tolerance:
        raise ModelLoadError(
            f"{type(model).__name__} is not supported: its logits differ by"
            f" {difference:.1e} from transformers' own"
        )


def _check_token_ids(model: Any) -> tuple[int, ...]:
    return tuple(range(1, min(12, model.config.get_text_config().vocab_size)))


def _last_logits_in_chunks(runner: Runner, token_ids: tuple[int, ...]) -> torch.Tensor:
    sequence = Sequence("check", token_ids, _NO_SAMPLING, priority=1, max_output_tokens=1)
    neighbour = Sequence("other", token_ids[::-1], _NO_SAMPLING, priority=1, max_output_tokens=1)
    logits = torch.empty(0)
    while sequence.num_uncomputed_tokens:
        num_tokens = min(sequence.num_uncomputed_tokens, 4)
        spans = [Span(sequence, num_tokens), Span(neighbour, num_tokens)]
        logits = runner.forward(spans)
    runner.release(sequence)
    runner.release(neighbour)
    return logits[0]


_NO_SAMPLING = SamplingParams(
    do_sample=False, temperature=1.0, top_k=0, top_p=1.0, typical_p=None, min_p=0.0,
    repetition_penalty=1.0, presence_penalty=0.0, frequency_penalty=0.0, logit_bias=(),
    bad_words=(), seed=1, watermark=False, max_new_tokens=1, min_new_tokens=0, stop=(),
    stop_token_ids=(), ignore_eos=True, skip_special_tokens=True, logprobs=None,
)  # fmt: skip
