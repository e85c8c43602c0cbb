"""This project's engine, in process."""

import argparse
import asyncio
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.peers.closed_loop import ClosedLoop
from benchmarks.peers.worker import Run, serve
from benchmarks.peers.workload import Request

if TYPE_CHECKING:
    from engine import GenerationRequest, LocalEngine

_ids = count()


def load(
    model: Path, num_threads: int, dtype: str, decoder: str, max_chunk_tokens: int | None = None
) -> Run:
    # Imported late, like all of the engine here: which checkout it comes from is an option.
    from engine import EngineConfig, LocalEngine, WatermarkConfig

    # Not a word where it is None: other checkouts may not know it.
    chunks = {"max_chunk_tokens": max_chunk_tokens} if max_chunk_tokens else {}
    engine = LocalEngine(
        EngineConfig(
            model_path=model, model_name="model", model_version="1", max_seq_len=2560,
            max_iter_times=512, max_num_seqs=16, max_num_batched_tokens=512, max_waiting=16,
            max_waiting_tokens=65536, step_timeout=600.0, allow_pickles=False,
            max_kv_tokens=None, kv_memory_fraction=0.5, max_prefix_tokens=0,
            max_draft_tokens=0,  # prompts of random tokens say nothing of real ones
            device="cpu", dtype=dtype, num_threads=num_threads, decoder=decoder,
            watermark=WatermarkConfig(hashing_key=1, greenlist_ratio=0.25, bias=2.0), **chunks,
        )
    )  # fmt: skip
    runner = asyncio.Runner()
    runner.run(engine.start())
    return lambda loop: runner.run(run(engine, loop))


async def run(engine: "LocalEngine", loop: ClosedLoop) -> None:
    async with asyncio.TaskGroup() as group:

        def start_requests() -> None:
            while (next_request := loop.next_request()) is not None:
                group.create_task(generate(*next_request))

        async def generate(index: int, request: Request) -> None:
            async for chunks in engine.stream(make_request(request)):
                if loop.received(index, len(chunks)):
                    start_requests()

        start_requests()


def make_request(request: Request) -> "GenerationRequest":
    from engine import GenerationRequest, SamplingParams

    return GenerationRequest(
        request_id=str(next(_ids)),
        model="model",
        prompt=request.prompt,
        priority=1,
        sampling_params=SamplingParams(
            do_sample=False, temperature=1.0, top_k=0, top_p=1.0, typical_p=None, min_p=0.0,
            repetition_penalty=1.0, presence_penalty=0.0, frequency_penalty=0.0, logit_bias=(),
            bad_words=(), seed=1, watermark=False, max_new_tokens=request.num_new_tokens,
            min_new_tokens=0, stop=(), stop_token_ids=(), ignore_eos=True,
            skip_special_tokens=True, logprobs=None,
        ),
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="transformers directory")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--dtype", required=True)
    parser.add_argument("--decoder", default="auto")
    parser.add_argument("--source", type=Path, help="another checkout whose engine is measured")
    options = parser.parse_args()
    if options.source is not None:
        sys.path.insert(0, str(options.source.resolve()))
    serve(lambda: load(options.model, options.threads, options.dtype, options.decoder))


if __name__ == "__main__":
    main()
