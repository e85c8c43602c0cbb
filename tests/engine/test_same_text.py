"""The promise of native and exact: a request's tokens are its own, whatever else is running."""

import asyncio
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine import EngineConfig, EngineStats, GenerationRequest, LocalEngine
from engine.native import is_available
from tests.engine.conftest import MakeConfig
from tests.params import params
from tests.tiny_models import NATIVE_SIZES, VOCAB_SIZE, byte_level_tokenizer, make_model

NATIVE = pytest.mark.skipif(not is_available(), reason="built without a compiler")


# Beside qwen3, the shapes that differ most from it; the windows are shorter than many prompts.
OTHER_SHAPES: dict[str, dict[str, Any]] = {
    "gemma3_text": {
        "sliding_window": 50, "layer_types": ["sliding_attention", "full_attention"],
    },
    "gpt2": {"n_embd": 64},
}  # fmt: skip


def save_native(directory: Path, architecture: str, **changes: Any) -> Path:
    sizes = {**NATIVE_SIZES, "max_position_embeddings": 2048, **changes}
    make_model(architecture, **sizes).save_pretrained(directory)
    byte_level_tokenizer().save_pretrained(directory)
    return directory


@pytest.fixture(scope="module")
def native_model_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_native(tmp_path_factory.mktemp("models") / "native", "qwen3")


@dataclass(frozen=True)
class Case:
    request: GenerationRequest
    is_cancelled: bool  # in the crowd, after its first token


def make_cases(num_cases: int, longest_prompt: int, longest_answer: int = 24) -> list[Case]:
    chooser = random.Random(num_cases)
    shared = [chooser.randrange(3, VOCAB_SIZE) for _ in range(longest_prompt)]
    cases = []
    for index in range(num_cases):
        length = chooser.choice(
            (1, 2, chooser.randrange(3, 40), chooser.randrange(3, longest_prompt))
        )
        prompt = [chooser.randrange(3, VOCAB_SIZE) for _ in range(length)]
        if index % 3 == 0:
            prompt[: length // 2] = shared[: length // 2]
        cases.append(
            Case(
                GenerationRequest(
                    request_id=str(index),
                    model="tiny",
                    prompt=tuple(prompt),
                    priority=chooser.randrange(1, 6),
                    sampling_params=params(
                        do_sample=index % 2 == 0,
                        seed=chooser.randrange(1, 2**64),
                        top_p=chooser.choice((1.0, 0.9)),
                        repetition_penalty=chooser.choice((1.0, 1.2)),
                        ignore_eos=True,
                        max_new_tokens=longest_answer
                        if index % 4 == 0
                        else chooser.randrange(1, 24),
                    ),
                ),
                is_cancelled=chooser.random() < 0.2,
            )
        )
    return cases


async def run(engine: LocalEngine, case: Case, may_cancel: bool) -> list[int]:
    token_ids: list[int] = []
    stream = engine.stream(case.request)
    async for chunks in stream:
        token_ids.extend(chunk.token.token_id for chunk in chunks if chunk.token is not None)
        if may_cancel and case.is_cancelled:
            break
    await stream.aclose()  # type: ignore[attr-defined]
    return token_ids


async def run_alone(config: EngineConfig, cases: list[Case]) -> list[list[int]]:
    engine = LocalEngine(config)
    await engine.start()
    results = [await run(engine, case, may_cancel=False) for case in cases]
    await engine.stop()
    return results


async def run_crowd(
    config: EngineConfig, cases: list[Case], width: int
) -> tuple[list[list[int]], EngineStats]:
    """At most ``width`` at once; the next one joins whenever one leaves."""
    engine = LocalEngine(config)
    await engine.start()
    places = asyncio.Semaphore(width)

    async def take_place(case: Case) -> list[int]:
        async with places:
            return await run(engine, case, may_cancel=True)

    results = await asyncio.gather(*(take_place(case) for case in cases))
    stats = await engine.stats()
    await engine.stop()
    return results, stats


async def check(
    make_config: MakeConfig, path: Path, cases: list[Case], dtype: str, decoder: str = "native"
) -> list[EngineStats]:
    """Of each crowd, after it has given every request the tokens that it gets alone."""
    sizes = {"model_path": path, "max_seq_len": 1800, "dtype": dtype, "decoder": decoder}
    plain = make_config(**sizes, max_num_batched_tokens=512, max_draft_tokens=0)
    alone = await run_alone(plain, cases)
    crowds = (
        {
            "num_threads": 2,
            "max_num_batched_tokens": 64,
            "max_chunk_tokens": 9,
            "max_num_seqs": 32,
        },
        {"num_threads": 1, "max_num_batched_tokens": 7, "max_num_seqs": 5},
        {"num_threads": 2, "max_num_batched_tokens": 33, "max_num_seqs": 16, "max_kv_tokens": 1801},
        {"num_threads": 1, "max_num_batched_tokens": 64, "max_num_seqs": 2},
    )
    all_stats = []
    for crowd in crowds:
        config = make_config(**sizes, max_waiting=len(cases), **crowd)
        results, stats = await run_crowd(config, cases, 40)
        all_stats.append(stats)
        for case, expected, tokens in zip(cases, alone, results, strict=True):
            assert tokens == expected[: len(tokens)]
            assert case.is_cancelled or len(tokens) == len(expected)
    return all_stats


@pytest.mark.parametrize(
    ("dtype", "decoder"),
    [
        pytest.param("float32", "native", marks=[NATIVE, pytest.mark.slow]),
        pytest.param("int8", "native", marks=NATIVE),
        pytest.param("int8", "exact", marks=pytest.mark.slow),
    ],
)
async def test_the_same_tokens_alone_and_in_any_crowd(
    make_config: MakeConfig, native_model_path: Path, dtype: str, decoder: str
) -> None:
    num_cases = 40 if decoder == "native" else 20
    await check(make_config, native_model_path, make_cases(num_cases, 200), dtype, decoder)


@pytest.mark.slow
@pytest.mark.parametrize("decoder", [pytest.param("native", marks=NATIVE), "exact"])
@pytest.mark.parametrize("architecture", OTHER_SHAPES)
async def test_the_same_tokens_alone_and_in_any_crowd_for_other_shapes(
    make_config: MakeConfig, tmp_path: Path, architecture: str, decoder: str
) -> None:
    path = save_native(tmp_path, architecture, **OTHER_SHAPES[architecture])
    num_cases = 20 if decoder == "native" else 10
    await check(make_config, path, make_cases(num_cases, 200), "int8", decoder)


@NATIVE
@pytest.mark.slow
@pytest.mark.parametrize("num_cases", [150, pytest.param(1000, marks=pytest.mark.crowds)])
async def test_the_same_tokens_for_many_requests_with_prompts_of_any_length(
    make_config: MakeConfig, native_model_path: Path, num_cases: int
) -> None:
    # Answers that grow long beside others are what fills the KV cache in mid-way.
    cases = make_cases(num_cases, 1500, longest_answer=100)
    all_stats = await check(make_config, native_model_path, cases, "int8")

    # Enough of everything that could have mixed them up.
    assert all(stats.num_cancelled > num_cases / 20 for stats in all_stats)
    assert all(stats.num_reused_tokens > 0 for stats in all_stats)
    assert all_stats[2].num_preemptions > 0
    assert all_stats[-1].num_accepted_tokens > 0
    assert max(size for size, _ in all_stats[0].batch_sizes) > 8
