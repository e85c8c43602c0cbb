"""The load of several engines as that of one."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import fields, replace

from engine.types import EngineStats

NOTHING = EngineStats(
    **{field.name: 0 for field in fields(EngineStats) if field.name != "batch_sizes"},
    batch_sizes=(),
)


def total(some: Iterable[EngineStats]) -> EngineStats:
    """Sums; a batch is one of the engine that computed it."""
    parts = [NOTHING, *some]
    names = [field.name for field in fields(EngineStats) if field.name != "batch_sizes"]
    batch_sizes = Counter[int]()
    for part in parts:
        batch_sizes.update(dict(part.batch_sizes))
    sums = {name: sum(getattr(part, name) for part in parts) for name in names}
    return EngineStats(**sums, batch_sizes=tuple(sorted(batch_sizes.items())))


def without_present(stats: EngineStats) -> EngineStats:
    """What stays of it when the engine has ended."""
    return replace(stats, num_running=0, num_waiting=0, num_kv_tokens=0)
