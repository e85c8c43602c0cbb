"""Turns a request into a generation: tokenizes the prompt and checks what depends on the model."""

from collections.abc import Iterable
from typing import Any

from engine.detokenizer import Detokenizer
from engine.errors import InvalidRequestError
from engine.generation import Generation
from engine.sampler import SamplingState
from engine.sequence import Sequence
from engine.types import GenerationRequest, ModelInfo, SamplingParams


class Intake:
    """Accepts requests for one model. Used by one thread at a time."""

    def __init__(self, tokenizer: Any, info: ModelInfo) -> None:
        self._tokenizer = tokenizer
        self._info = info
        self._detokenizer = Detokenizer(tokenizer)
        self._backend = getattr(tokenizer, "backend_tokenizer", None)
        if self._backend is not None:
            # A tokenizer file can carry a truncation: a prompt is refused, never cut.
            self._backend.no_truncation()
            self._backend.no_padding()

    def accept(self, request: GenerationRequest, arrival: float) -> Generation:
        """Raises InvalidRequestError, naming the field. ``arrival``: monotonic, in seconds."""
        params = request.sampling_params
        prompt_ids = self._prompt_ids(request.prompt)
        self._check_ids("parameters.logit_bias", (token_id for token_id, _ in params.logit_bias))
        self._check_ids("parameters.stop_token_ids", params.stop_token_ids)
        room = min(self._info.max_seq_len, self._info.max_position_embeddings) - len(prompt_ids)
        sequence = Sequence(
            request_id=request.request_id,
            prompt_token_ids=prompt_ids,
            sampling_params=params,
            priority=request.priority,
            # One token always has room: the last one is never computed, so takes no position.
            max_output_tokens=max(1, min(params.max_new_tokens, room)),
        )
        return Generation(
            sequence,
            self._sampling_state(params),
            self._detokenizer,
            frozenset(self._info.eos_token_ids),
            arrival,
        )

    def _prompt_ids(self, prompt: str | tuple[int, ...]) -> tuple[int, ...]:
        field = "text_input" if isinstance(prompt, str) else "inputs"
        if isinstance(prompt, str):
            token_ids = self._encode(prompt, add_special_tokens=True)
            self._check_known(field, token_ids)
        else:
            token_ids = prompt
            self._check_ids(field, token_ids)
        if not token_ids:
            raise InvalidRequestError(field, "has no tokens for this model")
        if len(token_ids) > self._info.max_prompt_tokens:
            raise InvalidRequestError(
                field,
                f"has {len(token_ids)} tokens, and at most {self._info.max_prompt_tokens} are"
                " allowed (max_seq_len less max_iter_times, and no more than the model's"
                f" {self._info.max_position_embeddings} positions)",
            )
        return token_ids

    def _encode(self, text: str, *, add_special_tokens: bool) -> tuple[int, ...]:
        if self._backend is not None:
            # Straight to the backend: the wrapper sets its truncation anew at each call, which
            # is not safe while another thread decodes. And as a batch: a single text is encoded
            # under the interpreter's lock, which holds up all other threads.
            [encoding] = self._backend.encode_batch_fast(
                [text], add_special_tokens=add_special_tokens
            )
            return tuple(encoding.ids)
        return tuple(self._tokenizer.encode(text, add_special_tokens=add_special_tokens))

    def _check_known(self, field: str, token_ids: tuple[int, ...]) -> None:
        """A tokenizer can have tokens that were added to it and not to the model."""
        largest = max(token_ids, default=0)
        if largest >= self._info.vocab_size:
            raise InvalidRequestError(
                field,
                f"has the token {largest}, which this model does not have: it has"
                f" {self._info.vocab_size}",
            )

    def _check_ids(self, field: str, token_ids: Iterable[int]) -> None:
        for token_id in token_ids:
            if not 0 <= token_id < self._info.vocab_size:
                raise InvalidRequestError(
                    field,
                    f"token ids must be between 0 and {self._info.vocab_size - 1}",
                )

    def _sampling_state(self, params: SamplingParams) -> SamplingState:
        # A word is one token sequence at the start of a line and another after a blank.
        spellings = [spelling for word in params.bad_words for spelling in (word, f" {word}")]
        encoded = {self._encode(spelling, add_special_tokens=False) for spelling in spellings}
        ending = () if params.ignore_eos else self._info.eos_token_ids
        return SamplingState(
            # What holds a token that the model does not have can never come.
            bad_words_ids=tuple(
                sorted(ids for ids in encoded if ids and max(ids) < self._info.vocab_size)
            ),
            ending_token_ids=(*ending, *params.stop_token_ids),
        )
