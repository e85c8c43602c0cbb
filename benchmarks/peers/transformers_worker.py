"""transformers' own continuous batching, in float32."""

import argparse
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, ContinuousBatchingConfig, GenerationConfig

from benchmarks.peers.closed_loop import ClosedLoop
from benchmarks.peers.worker import Run, serve

_SECONDS = 120  # without any result


class TransformersBatching:
    def __init__(self, model: Path, num_threads: int) -> None:
        torch.set_num_threads(num_threads)
        causal = AutoModelForCausalLM.from_pretrained(
            model, dtype=torch.float32, attn_implementation="sdpa"
        ).eval()
        self._manager = causal.init_continuous_batching(
            generation_config=GenerationConfig(
                max_new_tokens=256, do_sample=False, eos_token_id=-1, pad_token_id=0
            ),
            continuous_batching_config=ContinuousBatchingConfig(
                page_size=32, num_blocks=512, max_batch_tokens=512, max_requests_per_batch=16,
                allow_block_sharing=False,
            ),
        )  # fmt: skip
        with torch.inference_mode():
            self._manager.start()

    def run(self, loop: ClosedLoop) -> None:
        progress: dict[str, tuple[int, int]] = {}  # index, and tokens reported so far
        while not loop.is_finished:
            while (next_request := loop.next_request()) is not None:
                index, request = next_request
                name = self._manager.add_request(
                    list(request.prompt), max_new_tokens=request.num_new_tokens, streaming=True
                )
                progress[name] = index, 0
            result = self._manager.get_result(timeout=_SECONDS)
            if result is None or result.error:
                raise RuntimeError(f"no tokens: {result and result.error}")
            index, num_known = progress[result.request_id]
            num_tokens = len(result.generated_tokens)
            progress[result.request_id] = index, num_tokens
            if num_tokens > num_known:
                loop.received(index, num_tokens - num_known)


def load(model: Path, num_threads: int) -> Run:
    return TransformersBatching(model, num_threads).run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="transformers directory")
    parser.add_argument("--threads", type=int, required=True)
    options = parser.parse_args()
    serve(lambda: load(options.model, options.threads))


if __name__ == "__main__":
    main()
