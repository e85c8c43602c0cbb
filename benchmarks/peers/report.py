"""A markdown table of medians over the rounds, and the ratios of our engine to its best peer.

python -m benchmarks.peers.report RECORDS...
"""

import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    workload: str | None  # None: all of them
    figure: str
    digits: int
    best: Callable[[Iterable[float]], float]


COLUMNS = (
    Column("TTFT s", "single", "ttft", 3, min),
    Column("single, decode tokens/s", "single", "decode", 1, max),
    Column("8 at once, tokens/s", "c8", "throughput", 1, max),
    Column("16 at once, tokens/s", "c16", "throughput", 1, max),
    Column("peak RSS MB", None, "peak_rss_mb", 0, min),
)


def table(records: list[Record]) -> str:
    engines = {record["engine"]: record["is_own"] for record in records}
    medians = {name: [_median(records, name, column) for column in COLUMNS] for name in engines}
    lines = [
        _line("", *(column.title for column in COLUMNS)),
        "|---" * (len(COLUMNS) + 1) + "|",
        *(
            _line(
                name,
                *(_show(value, column.digits) for value, column in zip(row, COLUMNS, strict=True)),
            )
            for name, row in medians.items()
        ),
    ]
    peers = [medians[name] for name, is_own in engines.items() if not is_own]
    for name in [name for name, is_own in engines.items() if is_own and peers]:
        ratios = map(_ratio, medians[name], zip(*peers, strict=True), COLUMNS)
        lines.append(_line(f"{name} / best peer", *(_show(ratio, 2) for ratio in ratios)))
    others = [record["others"] for record in records]
    return "\n".join(
        [
            *lines,
            "",
            f"{len(records)} runs. Beside them other processes used {median(others):.2f} cores"
            f" (median; at most {max(others):.2f}).",
        ]
    )


def _median(records: list[Record], engine: str, column: Column) -> float | None:
    values: list[float] = [
        record[column.figure]
        for record in records
        if record["engine"] == engine and column.workload in (None, record["workload"])
    ]
    if not values:
        return None
    return max(values) if column.workload is None else median(values)


def _ratio(own: float | None, others: tuple[float | None, ...], column: Column) -> float | None:
    known = [value for value in others if value is not None]
    return own / column.best(known) if own is not None and known else None


def _show(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def read(paths: Iterable[Path]) -> list[Record]:
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


if __name__ == "__main__":
    print(table(read(map(Path, sys.argv[1:]))))
