"""From an engine's chunks to answers and events, with their keys in the order of the interface."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine import Chunk, GenerationPlan, GenerationRequest, Token
from handlers.call import Call

_LEAST_LOGPROB = -3.4028234663852886e38


class Answering:
    """Tells of one generation. ``model_version`` is the one in the path, if any.

    ``payload`` is a completed body; times are in milliseconds.
    """

    def __init__(
        self, payload: Mapping[str, Any], request: GenerationRequest, model_version: str | None
    ) -> None:
        parameters = payload["parameters"]
        self._has_perf_stat: bool = parameters["perf_stat"]
        self._has_details = parameters["details"] or self._has_perf_stat
        self._params = request.sampling_params
        self._head = {
            "id": payload.get("id", request.request_id),
            "model_name": request.model,
            "model_version": model_version,
        }
        self._num_tokens = 0
        self._first_token_ms: float | None = None
        self._decode_ms = 0.0
        self._perf_stat: list[list[int]] = []

    def answer(self, chunks: Sequence[Chunk]) -> dict[str, Any]:
        """The body of a whole generation."""
        text = "".join(chunk.text for chunk in chunks)
        return {**self._head, "text_output": text, **self.details(chunks)}

    def dry_run(self, plan: GenerationPlan, call: Call) -> dict[str, Any]:
        """The body of a request that was only checked."""
        told = {
            "num_prompt_tokens": plan.num_prompt_tokens,
            "max_output_tokens": plan.max_output_tokens,
            "parameters": call.payload["parameters"],
            "ignored_fields": call.ignored,
            "capped_fields": call.capped,
        }
        return {**self._head, "text_output": "", "dry_run": told}

    def outputs(self, output: Mapping[str, Any], chunks: Sequence[Chunk]) -> dict[str, Any]:
        """The body of a whole generation as one tensor."""
        return {**self._head, "outputs": [output], **self.details(chunks)}

    def event(self, chunk: Chunk) -> dict[str, Any]:
        """What one chunk brings; its details cover all chunks so far."""
        time_key = "decode_time" if self._num_tokens else "prefill_time"
        event = {**self._head, "text_output": chunk.text, **self.details([chunk])}
        if self._has_perf_stat and chunk.token is not None:
            event[time_key] = round(chunk.token.elapsed_ms, 3)
        return event

    def details(self, chunks: Sequence[Chunk]) -> dict[str, Any]:
        """``details`` after these new chunks, if they were asked for.

        ``tokens`` are those of the new chunks alone, and only the last chunk has a reason.
        """
        tokens = [chunk.token for chunk in chunks if chunk.token is not None]
        for token in tokens:
            self._count(token)
        if not self._has_details:
            return {}
        reason = chunks[-1].finish_reason
        details: dict[str, Any] = {"finish_reason": reason} if reason is not None else {}
        details |= {
            "generated_tokens": self._num_tokens,
            "first_token_cost": self._cost(self._first_token_ms),
            "decode_cost": self._cost(self._decode_ms),
        }
        if self._has_perf_stat:
            details["perf_stat"] = self._perf_stat
        if self._params.do_sample:
            details["seed"] = self._params.seed
        if self._params.logprobs is not None:
            details["tokens"] = [_to_token(token) for token in tokens]
        return {"details": details}

    def _count(self, token: Token) -> None:
        self._num_tokens += 1
        if self._first_token_ms is None:
            self._first_token_ms = token.elapsed_ms
        else:
            self._decode_ms += token.elapsed_ms
        if self._has_perf_stat:
            self._perf_stat.append([token.token_id, round(token.elapsed_ms)])

    def _cost(self, milliseconds: float | None) -> float | None:
        is_known = self._has_perf_stat and self._first_token_ms is not None
        return round(milliseconds, 3) if is_known and milliseconds is not None else None


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
