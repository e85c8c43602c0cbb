"""Runners of packed weights over small random models of every shape that they compute."""

import copy
import random
from collections.abc import Iterator
from typing import Any

import torch

from engine import shapes
from engine.attention import ATTENTION_NAME
from engine.decoders import make_decoder
from engine.fused_runner import FusedRunner
from engine.packing import PackedWeights, pack
from engine.runner import Runner
from engine.scheduler import Span
from engine.sequence import Sequence
from tests.params import params
from tests.tiny_models import VOCAB_SIZE, make_model

SIZES = {"hidden_size": 64, "intermediate_size": 112, "num_attention_heads": 4, "head_dim": 16}
# Windows that end in the middle of a block of keys, and that are shorter and longer than one.
FAMILY: dict[str, dict[str, Any]] = {
    "llama": {"rope_parameters": {"rope_type": "linear", "rope_theta": 1e4, "factor": 2.0}},
    "mistral": {"sliding_window": 21},
    "qwen2": {"use_sliding_window": True, "sliding_window": 5, "max_window_layers": 1},
    "qwen3": {"head_dim": 32},
    "gemma": {"head_dim": 256, "num_attention_heads": 6, "num_key_value_heads": 1},
    "gemma2": {"sliding_window": 21, "attn_logit_softcapping": 5.0, "final_logit_softcapping": 9.0},
    "gemma3_text": {
        "head_dim": 32,
        "query_pre_attn_scalar": 24,
        "attn_logit_softcapping": 1.0,
        "final_logit_softcapping": 9.0,
        "sliding_window": 16,
        "layer_types": ["sliding_attention", "full_attention"],
    },
    "gpt2": {"n_embd": 64, "n_inner": 112},
}
SHAPES = ("qwen3", "gemma3_text", "gpt2")  # what differs most


def make_family_model(architecture: str, **changes: Any) -> Any:
    model = make_model(architecture, **{**SIZES, **FAMILY[architecture], **changes})
    model.set_attn_implementation(ATTENTION_NAME)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("bias") or "norm" in name or "ln_" in name:
                parameter.copy_(torch.randn_like(parameter))
    return model


def make_runner(
    model: Any, decoder: str = "native", *, num_threads: int = 2, quantize: bool = False
) -> FusedRunner:
    assert shapes.is_known(model)
    weights = pack(copy.deepcopy(model), quantize=quantize, max_positions=256)
    return fuse(weights, decoder, num_threads=num_threads)


def fuse(weights: PackedWeights, decoder: str = "native", *, num_threads: int = 2) -> FusedRunner:
    sizes = {"max_tokens": 128, "max_positions": 256, "num_threads": num_threads}
    return FusedRunner(make_decoder(decoder, weights, **sizes), max_prefix_tokens=1000)


def make_sequence(num_tokens: int, seed: int) -> Sequence:
    chooser = random.Random(seed)
    token_ids = tuple(chooser.randrange(3, VOCAB_SIZE) for _ in range(num_tokens))
    return Sequence(str(seed), token_ids, params(), 5, 16)


def last_logits(runner: Runner, num_tokens: int, seed: int, chunks: Iterator[int]) -> torch.Tensor:
    """The logits [V] after a prompt that is computed alone, in chunks of these sizes."""
    sequence = make_sequence(num_tokens, seed)
    logits = torch.empty(0)
    while sequence.num_uncomputed_tokens:
        span = Span(sequence, min(next(chunks), sequence.num_uncomputed_tokens))
        logits = runner.forward([span])
    runner.release(sequence)
    return logits[0]


def every(size: int) -> Iterator[int]:
    while True:
        yield size
