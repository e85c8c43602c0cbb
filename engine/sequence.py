"""One request as the scheduler sees it: token ids and counts, never text or tensors."""

from dataclasses import dataclass, field

from engine.types import SamplingParams


@dataclass(slots=True, eq=False)
class Sequence:
    """The tokens of one request. Compared by identity.

    ``num_computed_tokens`` counts the tokens whose keys and values are cached;
    ``max_output_tokens`` is the request's own limit cut to what the model's context leaves.
    """

    request_id: str
    prompt_token_ids: tuple[int, ...]
    sampling_params: SamplingParams
    priority: int
    max_output_tokens: int
    output_token_ids: list[int] = field(default_factory=list)
    num_computed_tokens: int = 0

    @property
    def num_prompt_tokens(self) -> int:
        return len(self.prompt_token_ids)

    @property
    def num_output_tokens(self) -> int:
        return len(self.output_token_ids)

    @property
    def num_tokens(self) -> int:
        return len(self.prompt_token_ids) + len(self.output_token_ids)

    @property
    def num_uncomputed_tokens(self) -> int:
        return self.num_tokens - self.num_computed_tokens

    def token_ids(self, start: int, stop: int) -> list[int]:
        """The tokens at positions [start, stop) of prompt and output together."""
        num_prompt = len(self.prompt_token_ids)
        if start >= num_prompt:
            return self.output_token_ids[start - num_prompt : stop - num_prompt]
        prompt = self.prompt_token_ids[start:stop]
        return [*prompt, *self.output_token_ids[: max(0, stop - num_prompt)]]
