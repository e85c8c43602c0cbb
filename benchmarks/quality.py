"""How far int8 weights are from float32: KL divergence and perplexity over two texts.

    python -m benchmarks.quality [MODEL] [--tokens N]

One text is prose (this repository's licence), one is code (Python's heapq). The reference is
transformers' own float32 forward pass; distributions are compared after the same tokens.
"""

import argparse
import heapq
import inspect
from pathlib import Path

import torch
from torch import Tensor
from transformers import AutoModelForCausalLM, AutoTokenizer

from engine.decoders import make_decoder
from engine.fused_runner import FusedRunner
from engine.hub import models_home, pull, resolve
from engine.packing import pack
from engine.scheduler import Span
from engine.sequence import Sequence
from engine.types import SamplingParams

TEXTS = {
    "prose": (Path(__file__).parents[1] / "LICENSE").read_text(encoding="utf-8"),
    "code": inspect.getsource(heapq),
}


def reference_logits(path: Path, token_ids: list[int]) -> Tensor:
    """Float32 logits [T, V] of transformers."""
    model = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32).eval()
    with torch.inference_mode():
        logits: Tensor = model(input_ids=torch.tensor([token_ids]), use_cache=False).logits[0]
    return logits


def decoder_logits(path: Path, token_ids: list[int], decoder: str, quantize: bool) -> Tensor:
    """Logits [T, V] of a decoder of packed weights, token by token as in decoding."""
    model = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32).eval()
    weights = pack(model, quantize=quantize, max_positions=len(token_ids) + 1)
    runner = FusedRunner(
        make_decoder(
            decoder,
            weights,
            max_tokens=1,
            max_positions=len(token_ids) + 1,
            num_threads=torch.get_num_threads(),
        ),
        max_prefix_tokens=0,
    )
    sequence = Sequence("quality", tuple(token_ids), _PARAMS, 1, 1)
    sequence.prompt_token_ids = ()
    rows = []
    for token_id in token_ids:
        sequence.prompt_token_ids = (*sequence.prompt_token_ids, token_id)
        rows.append(runner.forward([Span(sequence, 1)])[0])
    return torch.stack(rows)


def compare(logits: Tensor, reference: Tensor, token_ids: list[int]) -> tuple[float, float, float]:
    """Mean KL to the reference in nats, and the perplexities of the reference and of ours."""
    ours, theirs = logits.double().log_softmax(-1), reference.double().log_softmax(-1)
    kl = (theirs.exp() * (theirs - ours)).sum(-1).mean()
    following = torch.tensor(token_ids[1:])[:, None]
    losses = [-row[:-1].gather(1, following).mean() for row in (theirs, ours)]
    return float(kl), float(losses[0].exp()), float(losses[1].exp())


KINDS = {
    "native-float32": ("native", False),
    "native-int8": ("native", True),
    "exact-int8": ("exact", True),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?", default="smollm2-135m-instruct")
    parser.add_argument("--tokens", type=int, default=700)
    parser.add_argument(
        "--kinds", nargs="+", choices=KINDS, default=[*KINDS], help="of weights and decoders"
    )
    options = parser.parse_args()
    path = resolve(options.model, models_home()) or pull(options.model)
    tokenizer = AutoTokenizer.from_pretrained(path)
    print("| weights | text | KL | perplexity | change |\n|---|---|---|---|---|")
    for name, text in TEXTS.items():
        token_ids = tokenizer.encode(text)[: options.tokens]
        reference = reference_logits(path, token_ids)
        for kind in options.kinds:
            logits = decoder_logits(path, token_ids, *KINDS[kind])
            kl, before, after = compare(logits, reference, token_ids)
            change = f"{100 * (after / before - 1):+.2f} %"
            print(f"| {kind} | {name} | {kl:.6f} | {before:.3f} -> {after:.3f} | {change} |")


_PARAMS = SamplingParams(
    do_sample=False, temperature=1.0, top_k=0, top_p=1.0, typical_p=None, min_p=0.0,
    repetition_penalty=1.0, presence_penalty=0.0, frequency_penalty=0.0, logit_bias=(),
    bad_words=(), seed=1, watermark=False, max_new_tokens=1, min_new_tokens=0, stop=(),
    stop_token_ids=(), ignore_eos=True, skip_special_tokens=True, logprobs=None,
)  # fmt: skip

if __name__ == "__main__":
    main()
