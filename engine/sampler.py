"""Picks the next token of each row: logits processors, then filters, then one draw."""

import math
from collections.abc import Sequence as Sequences
from dataclasses import dataclass

import torch
from torch import Tensor
from transformers import WatermarkLogitsProcessor

from engine import candidates as keep
from engine import logits as process
from engine.candidates import Candidates
from engine.config import WatermarkConfig
from engine.random import uniform
from engine.sequence import Sequence
from engine.types import SamplingParams


@dataclass(frozen=True, slots=True)
class Pick:
    """A picked token; ``logprob`` and ``top`` (token id, logprob) only where asked for."""

    token_id: int
    logprob: float | None
    top: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class SamplingState:
    """What the sampler needs of a request beside its tokens and parameters."""

    bad_words_ids: tuple[tuple[int, ...], ...]
    ending_token_ids: tuple[int, ...]  # banned until min_new_tokens are out


class Sampler:
    """Stateless between rows and steps: a row's pick depends on its own logits and tokens only."""

    def __init__(self, vocab_size: int, device: str, watermark: WatermarkConfig) -> None:
        self._watermark = WatermarkLogitsProcessor(
            vocab_size=vocab_size,
            device=device,
            greenlist_ratio=watermark.greenlist_ratio,
            bias=watermark.bias,
            hashing_key=watermark.hashing_key,
        )

    def sample(
        self, logits: Tensor, rows: Sequences[tuple[Sequence, SamplingState]]
    ) -> list[Pick | None]:
        """Pick a token for each row of the float32 logits [S, V]; None where a row is not finite.

        Minus infinity is a legal logit, as long as some other one is finite.
        """
        largest, likeliest = logits.max(dim=-1)
        is_usable = [math.isfinite(logit) for logit in largest.tolist()]
        greedy_ids = likeliest.tolist()
        picks: list[Pick | None] = []
        for row, (sequence, state) in enumerate(rows):
            if not is_usable[row]:
                picks.append(None)
            elif _is_plain_greedy(sequence):
                picks.append(Pick(greedy_ids[row], None, ()))
            else:
                picks.append(self._pick(logits[row], sequence, state))
        return picks

    def distribution(self, row: Tensor, sequence: Sequence, state: SamplingState) -> Candidates:
        """The candidates of the next token, with the logits that the draw uses."""
        params = sequence.sampling_params
        candidates = Candidates.of_row(_process(row, sequence, state))
        if params.do_sample and len(candidates.token_ids):
            candidates = _filter(candidates, params)
        if params.watermark:
            candidates = self._marked(candidates, sequence, len(row))
        return candidates

    def _pick(self, row: Tensor, sequence: Sequence, state: SamplingState) -> Pick | None:
        params = sequence.sampling_params
        candidates = self.distribution(row, sequence, state)
        if not len(candidates.token_ids):
            return None
        if params.do_sample:
            index = _draw(candidates, uniform(params.seed, sequence.num_output_tokens))
        else:
            index = int(candidates.logits.argmax())
        token_id = int(candidates.token_ids[index])
        return _with_logprobs(row, token_id, params.logprobs)

    def _marked(self, candidates: Candidates, sequence: Sequence, vocab_size: int) -> Candidates:
        """Raise the logits of the green list that the tokens so far select (arXiv:2301.10226)."""
        scores = candidates.logits.new_full((1, vocab_size), float("-inf"))
        scores[0, candidates.token_ids] = candidates.logits
        last = sequence.token_ids(max(0, sequence.num_tokens - 2), sequence.num_tokens)
        input_ids = torch.tensor([last], device=scores.device)
        marked = self._watermark(input_ids, scores)[0]
        return Candidates(candidates.token_ids, marked[candidates.token_ids])


def _is_plain_greedy(sequence: Sequence) -> bool:
    params = sequence.sampling_params
    return not (
        params.do_sample
        or params.watermark
        or params.logprobs is not None
        or params.repetition_penalty != 1
        or params.presence_penalty
        or params.frequency_penalty
        or params.logit_bias
        or params.bad_words
        or sequence.num_output_tokens < params.min_new_tokens
    )


def _process(row: Tensor, sequence: Sequence, state: SamplingState) -> Tensor:
    params = sequence.sampling_params
    token_ids = sequence.token_ids(0, sequence.num_tokens)
    if params.repetition_penalty != 1:
        row = process.penalize_repetition(row, token_ids, params.repetition_penalty)
    if params.presence_penalty or params.frequency_penalty:
        row = process.penalize_output(
            row, sequence.output_token_ids, params.presence_penalty, params.frequency_penalty
        )
    if params.logit_bias:
        row = process.add_bias(row, params.logit_bias)
    if state.bad_words_ids:
        row = process.ban(row, process.banned_next_tokens(token_ids, state.bad_words_ids))
    if sequence.num_output_tokens < params.min_new_tokens:
        row = process.ban(row, state.ending_token_ids)
    return row


def _filter(candidates: Candidates, params: SamplingParams) -> Candidates:
    # Which are the largest depends on no temperature, until it makes all of them the same number.
    if params.top_k:
        candidates = keep.keep_top_k(candidates, params.top_k)
    candidates = keep.scale_by_temperature(candidates, params.temperature)
    if params.top_p < 1:
        candidates = keep.keep_top_p(candidates, params.top_p)
    if params.min_p:
        candidates = keep.keep_min_p(candidates, params.min_p)
    if params.typical_p is not None and params.typical_p < 1:
        candidates = keep.keep_typical(candidates, params.typical_p)
    return candidates


def _draw(candidates: Candidates, threshold: float) -> int:
    """Invert the cumulative distribution at ``threshold`` in [0, 1)."""
    cumulative = candidates.probabilities().cumsum(0)
    index = int(torch.searchsorted(cumulative, threshold * cumulative[-1], right=True))
    return min(index, len(cumulative) - 1)


def _with_logprobs(row: Tensor, token_id: int, num_top: int | None) -> Pick:
    if num_top is None:
        return Pick(token_id, None, ())
    logprobs = torch.log_softmax(row, dim=-1)
    top = logprobs.topk(min(num_top, len(logprobs)))
    pairs = zip(top.indices.tolist(), top.values.tolist(), strict=True)
    return Pick(token_id, float(logprobs[token_id]), tuple(pairs))
