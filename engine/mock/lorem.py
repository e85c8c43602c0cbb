"""Filler text: the same prompt and seed give the same tokens, on every machine."""

import math
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import pairwise
from random import Random

from engine.config import WatermarkConfig
from engine.mock.vocabulary import END_ID, NUM_TOKENS, decode, words_like
from engine.types import TokenLogprob, WatermarkDetection

_SENTENCES, _WORDS = (3, 8), (4, 9)  # least and most: of a text, and of a sentence
_DRAWS = 8  # of a marked word, until one is on the list
_MARKED_ABOVE = 3.0  # standard deviations


def lorem(
    prompt_ids: Sequence[int], seed: int | None, watermark: WatermarkConfig | None
) -> Iterator[int]:
    """Tokens without end; the end token stands where a text may end. ``seed`` None: greedy."""
    random = Random(_digest(prompt_ids, seed))
    words, full_stop = words_like(decode(prompt_ids))
    last = prompt_ids[-1]
    while True:
        for _ in range(random.randint(*_SENTENCES)):
            for _ in range(random.randint(*_WORDS)):
                last = _word(random, words, last, watermark)
                yield last
            yield (last := full_stop)
        yield END_ID


def _word(
    random: Random, words: Sequence[int], last: int, watermark: WatermarkConfig | None
) -> int:
    word = random.choice(words)
    for _ in range(_DRAWS if watermark is not None else 0):
        if watermark is None or is_green(last, word, watermark):
            break
        word = random.choice(words)
    return word


def is_green(last: int, token_id: int, watermark: WatermarkConfig) -> bool:
    """Whether the token is on the list that the one before it chooses."""
    draw = int.from_bytes(_digest([last, token_id], watermark.hashing_key))
    return draw < watermark.greenlist_ratio * 2**64


def detect(token_ids: Sequence[int], watermark: WatermarkConfig) -> WatermarkDetection:
    """How many tokens are on the list, and how unlikely that is."""
    pairs = list(pairwise(token_ids))
    if not pairs:
        return WatermarkDetection(
            num_tokens=0, green_fraction=0.0, z_score=0.0, p_value=1.0, is_watermarked=False
        )
    num_green = sum(is_green(last, token_id, watermark) for last, token_id in pairs)
    expected = watermark.greenlist_ratio * len(pairs)
    z_score = (num_green - expected) / math.sqrt(expected * (1 - watermark.greenlist_ratio))
    return WatermarkDetection(
        num_tokens=len(pairs),
        green_fraction=num_green / len(pairs),
        z_score=z_score,
        p_value=math.erfc(z_score / math.sqrt(2)) / 2,
        is_watermarked=z_score > _MARKED_ABOVE,
    )


def logprobs(
    prompt_ids: Sequence[int], index: int, token_id: int, num_top: int
) -> tuple[float, tuple[TokenLogprob, ...]]:
    """Made up: of the token at that place, and of the likeliest ones, itself among them."""
    random = Random(_digest(prompt_ids, index))
    others = [other for other in random.sample(range(1, NUM_TOKENS), num_top) if other != token_id]
    shares = sorted((random.random() for _ in range(len(others) + 2)), reverse=True)
    likeliest = [math.log(max(share, 1e-9) / sum(shares)) for share in shares]
    top = [
        TokenLogprob(token_id=candidate, text=decode([candidate]), logprob=logprob)
        for candidate, logprob in zip([token_id, *others], likeliest, strict=False)
    ]
    return likeliest[0], tuple(top[:num_top])


def _digest(token_ids: Sequence[int], key: int | None) -> bytes:
    text = f"{key}:{','.join(map(str, token_ids))}"
    return blake2b(text.encode(), digest_size=8).digest()
