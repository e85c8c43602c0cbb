"""What a deployment puts into the document, and the engine that its settings describe."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from app.document import fold, load_document
from app.document_features import KEYS, select
from app.pace import Pace
from app.settings import Settings, SettingsError
from engine import (
    Engine,
    EngineConfig,
    LocalEngine,
    MockConfig,
    MockEngine,
    ModelInfo,
    RayEngine,
    WatermarkConfig,
    is_ray_installed,
)

Config = TypeVar("Config", EngineConfig, MockConfig)

MOCK = "mock"  # the platform of what is no model, and its name where it has no other


def folded_document(settings: Settings, models: Sequence[ModelInfo]) -> dict[str, Any]:
    """The document with the limits of these settings and models: the one that is served."""
    limits: dict[str, int | str] = {
        "max_iter_times": settings.max_iter_times,
        "max_token_id": min(model.vocab_size for model in models) - 1,
        "model_name": models[0].name,
        "model_version": models[0].version,
    }
    features = {KEYS} if settings.api_keys_file is not None else frozenset[str]()
    try:
        document = fold(select(load_document(), features), limits)
    except ValueError as exc:
        raise SettingsError(str(exc)) from None
    if models[0].platform == MOCK:
        document["info"]["title"] += f" {MOCK}"  # nobody shall take its texts for a model's
    return document


def make_engine(settings: Settings, model_path: Path) -> Engine:
    """An engine that is not started yet. Raises SettingsError, and ModelLoadError where there is no
    model."""
    config = EngineConfig(
        model_path=model_path,
        model_name=settings.served_name,
        model_version=settings.model_version,
        max_seq_len=settings.max_seq_len,
        max_iter_times=settings.max_iter_times,
        max_num_seqs=settings.max_batch_size,
        max_num_batched_tokens=settings.max_prefill_tokens,
        max_chunk_tokens=settings.max_chunk_tokens,
        max_waiting=settings.max_queue_size,
        max_waiting_tokens=settings.max_queue_tokens,
        step_timeout=settings.step_timeout,
        max_kv_tokens=settings.max_kv_tokens,
        kv_memory_fraction=settings.kv_memory_fraction,
        max_prefix_tokens=settings.max_prefix_tokens,
        max_draft_tokens=settings.max_draft_tokens,
        device=settings.device,
        dtype=settings.dtype,
        num_threads=settings.num_threads,
        decoder=settings.decoder,
        allow_pickles=settings.allow_pickles,
        watermark=_watermark(settings),
    )
    return _where_set(settings, config, LocalEngine)


def make_mock(settings: Settings, pace: Pace) -> Engine:
    """An engine without a model. Raises SettingsError."""
    return _where_set(settings, mock_config(settings, pace), MockEngine)


def mock_config(settings: Settings, pace: Pace) -> MockConfig:
    """The limits of these settings, and a speed."""
    return MockConfig(
        model_name=settings.model_name or MOCK,
        model_version=settings.model_version,
        max_seq_len=settings.max_seq_len,
        max_iter_times=settings.max_iter_times,
        max_num_seqs=settings.max_batch_size,
        max_waiting=settings.max_queue_size,
        max_waiting_tokens=settings.max_queue_tokens,
        watermark=_watermark(settings),
        load_seconds=pace.load_seconds,
        prompt_tokens_per_second=pace.prompt_tokens_per_second,
        tokens_per_second=pace.tokens_per_second,
    )


def _where_set(settings: Settings, config: Config, here: Callable[[Config], Engine]) -> Engine:
    """One engine in this process, or replicas of it in others."""
    if settings.engine == "local":
        return here(config)
    if not is_ray_installed():
        raise SettingsError("engine: ray is an optional part; run: pip install 'genspec[ray]'")
    return RayEngine(config, settings.replicas, settings.ray_address)


def _watermark(settings: Settings) -> WatermarkConfig:
    return WatermarkConfig(
        hashing_key=settings.watermark_hashing_key,
        greenlist_ratio=settings.watermark_greenlist_ratio,
        bias=settings.watermark_bias,
    )
