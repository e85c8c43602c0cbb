"""From a completed body to what the engine is asked to do."""

import secrets
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from engine import GenerationRequest, SamplingParams

# JSON numbers stay exact in every client below this; see the seed's description.
_MADE_SEED_LIMIT = 2**53


def to_request(
    payload: Mapping[str, Any], prompt: str | tuple[int, ...], model: str
) -> GenerationRequest:
    """Translate a payload that holds every default of the document under ``parameters``."""
    parameters = payload["parameters"]
    return GenerationRequest(
        request_id=uuid4().hex,
        model=model,
        prompt=prompt,
        sampling_params=to_sampling_params(parameters),
        priority=parameters["priority"],
    )


def to_sampling_params(parameters: Mapping[str, Any]) -> SamplingParams:
    """``get`` only where the document has no default: absent means that the feature is off."""
    typical_p = parameters.get("typical_p")
    return SamplingParams(
        do_sample=parameters["do_sample"],
        temperature=float(parameters["temperature"]),
        top_k=parameters["top_k"],
        top_p=float(parameters["top_p"]),
        typical_p=None if typical_p is None else float(typical_p),
        min_p=float(parameters["min_p"]),
        repetition_penalty=float(parameters["repetition_penalty"]),
        presence_penalty=float(parameters["presence_penalty"]),
        frequency_penalty=float(parameters["frequency_penalty"]),
        logit_bias=_to_logit_bias(parameters["logit_bias"]),
        bad_words=tuple(parameters["bad_words"]),
        seed=parameters.get("seed") or 1 + secrets.randbelow(_MADE_SEED_LIMIT - 1),
        watermark=parameters["watermark"],
        max_new_tokens=parameters["max_new_tokens"],
        min_new_tokens=parameters["min_new_tokens"],
        stop=tuple(parameters["stop"]),
        stop_token_ids=tuple(parameters["stop_token_ids"]),
        ignore_eos=parameters["ignore_eos"],
        skip_special_tokens=parameters["skip_special_tokens"],
        logprobs=parameters.get("logprobs"),
    )


def _to_logit_bias(biases: Mapping[str, float]) -> tuple[tuple[int, float], ...]:
    return tuple((int(token_id), float(bias)) for token_id, bias in biases.items())
