"""The engine's own counts as metrics: read when somebody asks, so that a step pays nothing."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf

from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from engine import EngineStats, ModelInfo

BATCH_BUCKETS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)  # sequences


def engine_families(stats: EngineStats, models: Iterable[ModelInfo]) -> Iterator[Metric]:
    """A snapshot of the engine's load and of its models."""
    yield from _gauges(stats)
    yield from _counters(stats)
    yield _batch_sizes(stats.batch_sizes)
    labels = ("model", "model_version", "architecture", "device", "dtype")
    info = GaugeMetricFamily(
        "genspec_model_info", "Always 1; the labels describe a served model.", labels=labels
    )
    for model in models:
        values = (model.name, model.version, model.architecture, model.device, model.dtype)
        info.add_metric(values, 1)
    yield info


def _gauges(stats: EngineStats) -> Iterator[Metric]:
    yield GaugeMetricFamily(
        "genspec_running_requests", "Generations that are being computed.", stats.num_running
    )
    yield GaugeMetricFamily(
        "genspec_waiting_requests", "Generations that wait for their start.", stats.num_waiting
    )
    yield GaugeMetricFamily(
        "genspec_kv_cache_tokens",
        "Tokens whose keys and values are held for running generations.",
        stats.num_kv_tokens,
    )


def _counters(stats: EngineStats) -> Iterator[Metric]:
    yield CounterMetricFamily(
        "genspec_prompt_tokens", "Prompt tokens of generations begun.", stats.num_prompt_tokens
    )
    yield CounterMetricFamily(
        "genspec_generated_tokens", "Tokens that were generated.", stats.num_generated_tokens
    )
    yield CounterMetricFamily("genspec_engine_steps", "Steps of the engine.", stats.num_steps)
    yield CounterMetricFamily(
        "genspec_preemptions",
        "Running generations that were put back to be computed again.",
        stats.num_preemptions,
    )
    yield CounterMetricFamily(
        "genspec_prefix_cache_reused_tokens",
        "Tokens taken over from ended generations that began alike.",
        stats.num_reused_tokens,
    )
    yield CounterMetricFamily(
        "genspec_draft_tokens", "Tokens guessed and computed.", stats.num_drafted_tokens
    )
    yield CounterMetricFamily(
        "genspec_accepted_draft_tokens",
        "Guessed tokens that were right.",
        stats.num_accepted_tokens,
    )
    generations = CounterMetricFamily(
        "genspec_generations", "Generations that have ended, by outcome.", labels=("outcome",)
    )
    generations.add_metric(("finished",), stats.num_finished)
    generations.add_metric(("cancelled",), stats.num_cancelled)
    generations.add_metric(("failed",), stats.num_failed)
    yield generations


def _batch_sizes(sizes: Sequence[tuple[int, int]]) -> Metric:
    """Sizes and how many steps had them, as a histogram."""
    buckets = [
        (
            "+Inf" if bound == inf else str(bound),
            sum(steps for size, steps in sizes if size <= bound),
        )
        for bound in (*BATCH_BUCKETS, inf)
    ]
    family = HistogramMetricFamily("genspec_batch_size", "Sequences computed in one step.")
    family.add_metric((), buckets, sum(size * steps for size, steps in sizes))
    return family
