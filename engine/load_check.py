"""Compares what we compute with transformers' own logits, once, before a model is served."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch

from engine.attention import ATTENTION_NAME, UnsupportedAttentionError
from engine.errors import ModelLoadError
from engine.model_runner import ModelRunner
from engine.runner import Runner
from engine.scheduler import Span
from engine.sequence import Sequence
from engine.types import SamplingParams

logger = logging.getLogger(__name__)

# Of the largest logit; float32 differs by 1e-6, bfloat16 by a few 1e-2.
_TOLERANCE = {torch.float32: 1e-3, torch.float16: 2e-2, torch.bfloat16: 1e-1}
_INT8_TOLERANCE = 2e-1


def check_complete(info: Mapping[str, Any]) -> None:
    """Raises ModelLoadError where transformers had to make weights up, by its report of a load."""
    mismatched = sorted(name for name, *_ in info["mismatched_keys"])
    missing = sorted(info["missing_keys"])
    for problem, names in (("has another shape than", mismatched), ("is missing for", missing)):
        if names:
            others = f" and {len(names) - 1} others" if len(names) > 1 else ""
            raise ModelLoadError(f"a weight in the files {problem} {names[0]}{others}")


def check_weights(model: torch.nn.Module) -> None:
    """Raises ModelLoadError where a weight is not finite."""
    for name, parameter in model.named_parameters():
        extremes = torch.aminmax(parameter.detach())  # NaN shows in both
        if not (torch.isfinite(extremes.min) and torch.isfinite(extremes.max)):
            raise ModelLoadError(f"the weights of {name} are not finite")


@dataclass(frozen=True, slots=True)
class Checked:
    """A runner that has run the check, and transformers' own logits [V] of it."""

    runner: ModelRunner
    reference: torch.Tensor


def check_attention(model: Any) -> Checked:
    """Compare our packed, cached, chunked forward pass with transformers' own on a few tokens.

    A model that does not call the registered attention function, or whose attention needs more
    than it offers, is refused here instead of answering wrongly. ModelLoadError.
    """
    token_ids = _token_ids(model)
    runner = ModelRunner(model)
    try:
        ours = _last_logits_in_chunks(runner, token_ids)
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
    return Checked(runner, reference)


def check_packed(
    model: Any, runner: Runner, reference: torch.Tensor, *, is_quantized: bool
) -> None:
    """Compare a runner of packed weights with the logits [V] that transformers gave."""
    tolerance = _INT8_TOLERANCE if is_quantized else _TOLERANCE[torch.float32]
    _compare(model, _last_logits_in_chunks(runner, _token_ids(model)), reference, tolerance)


def _compare(model: Any, ours: torch.Tensor, reference: torch.Tensor, tolerance: float) -> None:
    difference = float((ours - reference).abs().max() / reference.abs().max().clamp_min(1e-6))
    logger.debug("attention check: largest relative difference %.1e", difference)
    if not difference < tolerance:
        raise ModelLoadError(
            f"{type(model).__name__} is not supported: its logits differ by"
            f" {difference:.1e} from transformers' own"
        )


def _token_ids(model: Any) -> tuple[int, ...]:
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
