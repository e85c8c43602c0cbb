"""From an engine's chunks to the answer, with its keys in the order of the interface."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine import Chunk, GenerationRequest, Token

_LEAST_LOGPROB = -3.4028234663852886e38


def to_answer(
    payload: Mapping[str, Any],
    request: GenerationRequest,
    model_version: str | None,
    chunks: Sequence[Chunk],
) -> dict[str, Any]:
    """The body of a whole generation. ``model_version`` is the one in the path, if any."""
    parameters = payload["parameters"]
    answer = {
        "id": payload.get("id", request.request_id),
        "model_name": request.model,
        "model_version": model_version,
        "text_output": "".join(chunk.text for chunk in chunks),
    }
    if parameters["details"] or parameters["perf_stat"]:
        answer["details"] = to_details(parameters["perf_stat"], request, chunks)
    return answer


def to_details(
    has_perf_stat: bool, request: GenerationRequest, chunks: Sequence[Chunk]
) -> dict[str, Any]:
    """``details``; times in milliseconds."""
    tokens = [chunk.token for chunk in chunks if chunk.token is not None]
    times = [token.elapsed_ms for token in tokens] if has_perf_stat else []
    details: dict[str, Any] = {
        "finish_reason": chunks[-1].finish_reason,
        "generated_tokens": len(tokens),
        "first_token_cost": round(times[0], 3) if times else None,
        "decode_cost": round(sum(times[1:]), 3) if times else None,
    }
    if has_perf_stat:
        details["perf_stat"] = [[token.token_id, round(token.elapsed_ms)] for token in tokens]
    if request.sampling_params.do_sample:
        details["seed"] = request.sampling_params.seed
    if request.sampling_params.logprobs is not None:
        details["tokens"] = [_to_token(token) for token in tokens]
    return details


def _to_logprob(logprob: float | None) -> float | None:
    """JSON has no infinity: an impossible token gets the least number of float32."""
    return None if logprob is None else max(logprob, _LEAST_LOGPROB)


def _to_token(token: Token) -> dict[str, Any]:
    return {
        "token_id": token.token_id,
        "text": token.text,
        "logprob": _to_logprob(token.logprob),
        "top_logprobs": [
            {"token_id": top.token_id, "text": top.text, "logprob": _to_logprob(top.logprob)}
            for top in token.top_logprobs
        ],
    }
