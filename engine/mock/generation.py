"""One request of the mock: picks tokens, and decides when to end."""

from collections.abc import Sequence
from time import monotonic

from engine.config import WatermarkConfig
from engine.mock.lorem import logprobs, lorem
from engine.mock.vocabulary import END_ID, decode
from engine.stopping import StopMatcher
from engine.types import Chunk, FinishReason, SamplingParams, Token, TokenLogprob


class MockGeneration:
    """``arrival`` is in seconds of ``time.monotonic``."""

    def __init__(
        self,
        prompt_ids: Sequence[int],
        params: SamplingParams,
        max_output_tokens: int,
        watermark: WatermarkConfig,
        arrival: float,
    ) -> None:
        self.num_tokens = 0
        self._prompt_ids = prompt_ids
        self._params = params
        self._max_output_tokens = max_output_tokens
        self._stops = StopMatcher(params.stop)
        seed = params.seed if params.do_sample else None
        self._tokens = lorem(prompt_ids, seed, watermark if params.watermark else None)
        self._last_token_at = arrival

    def step(self) -> Chunk:
        """The next token, and the text that may be shown now."""
        token_id = next(self._tokens)
        if token_id == END_ID and self.num_tokens < self._params.min_new_tokens:
            token_id = next(self._tokens)
        self.num_tokens += 1
        text, reason = self._end_with(token_id)
        now = monotonic()
        elapsed_ms, self._last_token_at = (now - self._last_token_at) * 1000, now
        token = self._token(token_id, elapsed_ms)
        return self._chunk(token, text, reason)

    def stop(self) -> Chunk:
        """The end of a request that somebody has ended."""
        return self._chunk(None, self._stops.finish(), FinishReason.STOP_SEQUENCE)

    def _end_with(self, token_id: int) -> tuple[str, FinishReason | None]:
        params = self._params
        text = decode([token_id])
        may_end = self.num_tokens >= params.min_new_tokens
        if may_end:
            text, has_matched = self._stops.add(text)
            if has_matched:
                return text, FinishReason.STOP_SEQUENCE
        reason = None
        if self.num_tokens >= self._max_output_tokens:
            reason = FinishReason.LENGTH
        elif may_end and token_id in params.stop_token_ids:
            reason = FinishReason.STOP_SEQUENCE
        elif token_id == END_ID and not params.ignore_eos:
            reason = FinishReason.EOS_TOKEN
        return (text + self._stops.finish() if reason else text), reason

    def _token(self, token_id: int, elapsed_ms: float) -> Token:
        logprob: float | None = None
        top: tuple[TokenLogprob, ...] = ()
        if self._params.logprobs is not None:
            place = self.num_tokens
            logprob, top = logprobs(self._prompt_ids, place, token_id, self._params.logprobs)
        return Token(
            token_id=token_id,
            text=decode([token_id]),
            elapsed_ms=elapsed_ms,
            logprob=logprob,
            top_logprobs=top,
        )

    def _chunk(self, token: Token | None, text: str, reason: FinishReason | None) -> Chunk:
        return Chunk(
            token=token,
            text=text,
            num_prompt_tokens=len(self._prompt_ids),
            finish_reason=reason,
        )
