"""Sampling parameters for engine tests: everything off unless a test turns it on."""

from dataclasses import replace
from typing import Any

from engine import SamplingParams

_OFF = SamplingParams(
    do_sample=False,
    temperature=1.0,
    top_k=0,
    top_p=1.0,
    typical_p=None,
    min_p=0.0,
    repetition_penalty=1.0,
    presence_penalty=0.0,
    frequency_penalty=0.0,
    logit_bias=(),
    bad_words=(),
    seed=1,
    watermark=False,
    max_new_tokens=16,
    min_new_tokens=0,
    stop=(),
    stop_token_ids=(),
    ignore_eos=False,
    skip_special_tokens=True,
    logprobs=None,
)


def params(**changes: Any) -> SamplingParams:
    return replace(_OFF, **changes)
