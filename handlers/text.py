"""Operations on texts and tokens that generate nothing."""

from collections.abc import Coroutine
from typing import Any, TypeVar

from engine import Engine
from handlers.call import Call
from handlers.race import race

T = TypeVar("T")


class TextHandlers:
    """``request_timeout`` is the server's limit, in seconds."""

    def __init__(self, engine: Engine, request_timeout: float) -> None:
        self._engine = engine
        self._request_timeout = request_timeout

    async def tokenize(
        self, model_name: str, call: Call, model_version: str | None = None
    ) -> dict[str, Any]:
        text = call.payload["text_input"]
        tokens = await self._wait(self._engine.tokenize(model_name, text), call)
        return {
            "model_name": model_name,
            "model_version": model_version,
            "num_tokens": len(tokens.token_ids),
            "token_ids": tokens.token_ids,
            "offsets": tokens.offsets,
        }

    async def detokenize(
        self, model_name: str, call: Call, model_version: str | None = None
    ) -> dict[str, Any]:
        work = self._engine.detokenize(
            model_name,
            tuple(call.payload["token_ids"]),
            skip_special_tokens=call.payload["skip_special_tokens"],
        )
        text = await self._wait(work, call)
        return {"model_name": model_name, "model_version": model_version, "text_output": text}

    async def detect_watermark(
        self, model_name: str, call: Call, model_version: str | None = None
    ) -> dict[str, Any]:
        text = call.payload["text_input"]
        found = await self._wait(self._engine.detect_watermark(model_name, text), call)
        return {
            "num_tokens": found.num_tokens,
            "green_fraction": found.green_fraction,
            "z_score": found.z_score,
            "p_value": found.p_value,
            "watermarked": found.is_watermarked,
        }

    async def _wait(self, work: Coroutine[Any, Any, T], call: Call) -> T:
        return await race(work, call, self._request_timeout)
