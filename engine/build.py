"""Puts the parts of a loaded engine together. Imports torch: for the worker thread only."""

from dataclasses import dataclass, replace

from engine.config import EngineConfig, platform_of
from engine.core import EngineCore
from engine.intake import Intake
from engine.kv_budget import plan_kv_tokens
from engine.loader import load
from engine.memory import give_back
from engine.sampler import Sampler
from engine.scheduler import Scheduler
from engine.speculation import Speculator
from engine.text import TextTools
from engine.types import ModelInfo

# Prompt tokens beside decoding sequences: measured, in benchmarks/README.md.
_CPU_CHUNK = 128


@dataclass(frozen=True, slots=True)
class Parts:
    """A loaded engine; ``info`` has device, dtype, decoder and platform as found."""

    intake: Intake
    text_tools: TextTools
    core: EngineCore
    info: ModelInfo


def build(config: EngineConfig, info: ModelInfo) -> Parts:
    """Load the model. Raises ModelLoadError."""
    loaded = load(config, info)
    info = replace(
        info,
        device=loaded.device,
        dtype=loaded.dtype,
        decoder=loaded.decoder,
        platform=platform_of(loaded.decoder),
        is_load_invariant=loaded.runner.is_batch_invariant,
    )
    give_back()
    max_kv_tokens = plan_kv_tokens(
        config,
        info.max_position_embeddings,
        loaded.runner.kv_bytes_per_token,
        loaded.device,
        loaded.num_mapped_bytes,
    )
    scheduler = Scheduler(
        max_num_seqs=config.max_num_seqs,
        max_num_batched_tokens=config.max_num_batched_tokens,
        max_chunk_tokens=_max_chunk_tokens(config, loaded.device),
        max_kv_tokens=max_kv_tokens,
        admit=loaded.runner.admit,
        release=loaded.runner.release,
    )
    core = EngineCore(
        scheduler,
        loaded.runner,
        Sampler(info.vocab_size, loaded.device, config.watermark),
        Speculator(config.max_draft_tokens if loaded.runner.is_batch_invariant else 0),
    )
    return Parts(
        Intake(loaded.tokenizer, info),
        TextTools(loaded.tokenizer, info, config.watermark),
        core,
        info,
    )


def _max_chunk_tokens(config: EngineConfig, device: str) -> int:
    # A GPU computes hundreds of tokens in the time of one.
    return config.max_chunk_tokens or (
        _CPU_CHUNK if device == "cpu" else config.max_num_batched_tokens
    )
