"""One request in flight: turns picked tokens into chunks of text and decides when to end."""

import time
from collections.abc import Sequence as Sequences

from engine.detokenizer import Detokenizer
from engine.sampler import Pick, SamplingState
from engine.sequence import Sequence
from engine.stopping import StopMatcher
from engine.types import Chunk, FinishReason, Token, TokenLogprob


class Generation:
    """Everything of a request that the scheduler and the model need not know."""

    def __init__(
        self,
        sequence: Sequence,
        state: SamplingState,
        detokenizer: Detokenizer,
        eos_token_ids: frozenset[int],
        arrival: float,
    ) -> None:
        params = sequence.sampling_params
        self.sequence = sequence
        self.state = state
        self._detokenizer = detokenizer
        self._text = detokenizer.start(sequence.prompt_token_ids, params.skip_special_tokens)
        self._stops = StopMatcher(params.stop)
        self._eos_token_ids = frozenset() if params.ignore_eos else eos_token_ids
        self._last_token_at = arrival
        self._queue_ms: float | None = None

    def leave_queue(self, now: float) -> bool:
        """Note that computing begins; False where it has begun before."""
        if self._queue_ms is not None:
            return False
        self._queue_ms = (now - self._last_token_at) * 1000
        return True

    def resume(self, token_ids: Sequences[int]) -> Chunk | None:
        """Take output tokens that the caller already has; their text is not shown again.

        Returns the last chunk where nothing is left to generate after them.
        """
        for token_id in token_ids:
            _, finish_reason = self._commit(token_id)
            if finish_reason is not None:
                return self._chunk(None, "", finish_reason)
        return None

    def add(self, pick: Pick) -> Chunk:
        """Take the next token."""
        text, finish_reason = self._commit(pick.token_id)
        now = time.monotonic()
        elapsed_ms = (now - self._last_token_at) * 1000
        self._last_token_at = now
        token = Token(
            token_id=pick.token_id,
            text=self._detokenizer.token_text(pick.token_id),
            elapsed_ms=elapsed_ms,
            logprob=pick.logprob,
            top_logprobs=tuple(
                TokenLogprob(
                    token_id=token_id,
                    text=self._detokenizer.token_text(token_id),
                    logprob=logprob,
                )
                for token_id, logprob in pick.top
            ),
        )
        return self._chunk(token, text, finish_reason)

    def stop(self) -> Chunk:
        """End without another token, showing what was held back."""
        return self._chunk(None, self._remaining_text(), FinishReason.STOP_SEQUENCE)

    def _commit(self, token_id: int) -> tuple[str, FinishReason | None]:
        params = self.sequence.sampling_params
        self.sequence.output_token_ids.append(token_id)
        num_output = self.sequence.num_output_tokens
        is_past_minimum = num_output >= params.min_new_tokens
        ends = self._ending(token_id) if is_past_minimum else None
        text = "" if ends and params.skip_special_tokens else self._text.add(token_id)
        if is_past_minimum:
            text, is_stopped = self._stops.add(text)
            if is_stopped:
                return text, FinishReason.STOP_SEQUENCE
        if num_output >= self.sequence.max_output_tokens:
            ends = FinishReason.LENGTH  # also where the last allowed token is an end token
        return (text + self._remaining_text() if ends else text), ends

    def _ending(self, token_id: int) -> FinishReason | None:
        if token_id in self._eos_token_ids:
            return FinishReason.EOS_TOKEN
        if token_id in self.sequence.sampling_params.stop_token_ids:
            return FinishReason.STOP_SEQUENCE
        return None

    def _remaining_text(self) -> str:
        shown, is_stopped = self._stops.add(self._text.finish())
        return shown if is_stopped else shown + self._stops.finish()

    def _chunk(self, token: Token | None, text: str, finish_reason: FinishReason | None) -> Chunk:
        return Chunk(
            token=token,
            text=text,
            num_prompt_tokens=self.sequence.num_prompt_tokens,
            finish_reason=finish_reason,
            queue_ms=self._queue_ms,
        )
