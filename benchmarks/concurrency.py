"""Sixteen requests one after the other against the same sixteen at once, in one process.

    python -m benchmarks.concurrency [MODEL] [--rounds N] [--new-tokens N]

Each round runs every decoder in turn, sequentially and at once, so that a drift of the machine's
speed hits all of them; the medians over the rounds are printed.
"""

import argparse
import asyncio
import time
from dataclasses import dataclass
from statistics import median

from engine import EngineConfig, GenerationRequest, LocalEngine, SamplingParams, WatermarkConfig
from engine.hub import models_home, pull, resolve

NUM_REQUESTS = 16
DECODERS = (
    ("transformers", "float32"),
    ("native", "float32"),
    ("native", "int8"),
    ("exact", "int8"),
)
SUBJECTS = ("the sea", "a train", "the moon", "bread", "a violin", "winter", "a river", "glass")
PROMPTS = [f"Write one long paragraph about {name}." for name in SUBJECTS] * 2


@dataclass(frozen=True, slots=True)
class Measurement:
    """Seconds for all requests; ``ttft`` and ``itl`` are of one request alone."""

    sequential: float
    at_once: float
    ttft: float
    itl: float


def make_engine(model: str, decoder: str, dtype: str, max_draft_tokens: int = 0) -> LocalEngine:
    path = resolve(model, models_home()) or pull(model)
    return LocalEngine(
        EngineConfig(
            model_path=path,
            model_name="model",
            model_version="1",
            max_seq_len=2560,
            max_iter_times=512,
            max_num_seqs=NUM_REQUESTS,
            max_num_batched_tokens=512,
            max_waiting=2 * NUM_REQUESTS,
            max_waiting_tokens=1_000_000,
            step_timeout=600,
            max_kv_tokens=None,
            kv_memory_fraction=0.5,
            max_prefix_tokens=0,
            max_draft_tokens=max_draft_tokens,
            device="cpu",
            dtype=dtype,
            num_threads=None,
            decoder=decoder,
            allow_pickles=False,
            watermark=WatermarkConfig(hashing_key=1, greenlist_ratio=0.25, bias=2.0),
        )
    )


def make_request(index: int, name: str, num_new_tokens: int) -> GenerationRequest:
    return GenerationRequest(
        request_id=f"{name}-{index}",
        model="model",
        prompt=PROMPTS[index],
        priority=1,
        sampling_params=SamplingParams(
            do_sample=False, temperature=1.0, top_k=0, top_p=1.0, typical_p=None, min_p=0.0,
            repetition_penalty=1.0, presence_penalty=0.0, frequency_penalty=0.0, logit_bias=(),
            bad_words=(), seed=1, watermark=False, max_new_tokens=num_new_tokens,
            min_new_tokens=0, stop=(), stop_token_ids=(), ignore_eos=True,
            skip_special_tokens=True, logprobs=None,
        ),
    )  # fmt: skip


async def run(engine: LocalEngine, request: GenerationRequest) -> list[float]:
    """Milliseconds of each token."""
    return [
        chunk.token.elapsed_ms
        async for chunks in engine.stream(request)
        for chunk in chunks
        if chunk.token is not None
    ]


async def measure(engine: LocalEngine, num_new_tokens: int) -> Measurement:
    begin = time.perf_counter()
    alone = [
        await run(engine, make_request(index, "alone", num_new_tokens))
        for index in range(NUM_REQUESTS)
    ]
    middle = time.perf_counter()
    await asyncio.gather(
        *(
            run(engine, make_request(index, "crowd", num_new_tokens))
            for index in range(NUM_REQUESTS)
        )
    )
    end = time.perf_counter()
    return Measurement(
        sequential=middle - begin,
        at_once=end - middle,
        ttft=median(times[0] for times in alone) / 1000,
        itl=median(median(times[1:]) for times in alone) / 1000,
    )


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?", default="smollm2-135m-instruct")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--new-tokens", type=int, default=64)
    options = parser.parse_args()
    engines = [make_engine(options.model, *decoder) for decoder in DECODERS]
    for engine in engines:
        await engine.start()
    results: list[list[Measurement]] = [[] for _ in engines]
    for _ in range(options.rounds):
        for engine, measurements in zip(engines, results, strict=True):
            measurements.append(await measure(engine, options.new_tokens))
    num_tokens = NUM_REQUESTS * options.new_tokens
    print("| decoder | TTFT s | single tokens/s | 16 in turn s | 16 at once s | ratio | tokens/s |")
    print("|---|---|---|---|---|---|---|")
    for (decoder, dtype), measurements in zip(DECODERS, results, strict=True):
        sequential = median(m.sequential for m in measurements)
        at_once = median(m.at_once for m in measurements)
        print(
            f"| {decoder} {dtype} | {median(m.ttft for m in measurements):.3f}"
            f" | {1 / median(m.itl for m in measurements):.1f} | {sequential:.1f} | {at_once:.1f}"
            f" | {sequential / at_once:.1f} | {num_tokens / at_once:.0f} |"
        )
    for engine in engines:
        await engine.stop()


if __name__ == "__main__":
    asyncio.run(main())
