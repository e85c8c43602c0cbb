"""What a stream waits for its next token while prompts of others are computed, by chunk size.

    python -m benchmarks.chunks MODEL [--dtype int8] [--workload c8] [--rounds N] [--chunks N ...]

Every round runs the workload of benchmarks.peers once with each ``max_chunk_tokens``, in one
process; the medians over the rounds are printed.
"""

import argparse
from pathlib import Path
from statistics import median

from benchmarks.peers.closed_loop import CLOCKS, ClosedLoop
from benchmarks.peers.genspec_worker import load
from benchmarks.peers.workload import WARM_UP, WORKLOADS, make_workload

WHOLE_STEP = 512  # that the worker computes at most
TITLES = {
    "throughput": ("tokens/s", 1.0),
    "ttft": ("TTFT ms", 1e3),
    "gap p50": ("between tokens ms, median", 1e3),
    "gap p90": ("p90", 1e3),
    "gap p99": ("p99", 1e3),
    "gap max": ("longest", 1e3),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path, help="transformers directory")
    parser.add_argument("--dtype", default="int8")
    parser.add_argument("--workload", choices=WORKLOADS, default="c8")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--chunks", type=int, nargs="+", default=(WHOLE_STEP, 128, 64, 32))
    options = parser.parse_args()
    engines = {
        chunk: load(options.model, options.threads, options.dtype, "auto", chunk)
        for chunk in options.chunks
    }
    figures: dict[int, list[dict[str, float]]] = {chunk: [] for chunk in engines}
    for name, round_number in (
        (WARM_UP, 0),
        *((options.workload, n) for n in range(options.rounds)),
    ):
        for chunk, run in engines.items():
            loop = ClosedLoop(make_workload(name, round_number), CLOCKS["wall"])
            run(loop)
            if name != WARM_UP:
                figures[chunk].append(loop.figures())
    print("| max_chunk_tokens |", *(f"{title} |" for title, _ in TITLES.values()))
    print("|---" * (len(TITLES) + 1) + "|")
    for chunk, rounds in figures.items():
        cells = (
            f"{factor * median(run[name] for run in rounds):.{int(factor == 1)}f} |"
            for name, (_, factor) in TITLES.items()
        )
        print(f"| {chunk} |", *cells)


if __name__ == "__main__":
    main()
