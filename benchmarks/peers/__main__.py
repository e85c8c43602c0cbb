"""The engine and its peers on the same workload, in turn, in one run.

Every engine runs in a process of its own, in the environment given for it, and stays loaded; in
each round every workload is run by every engine in turn, while the others are stopped. The lengths
of prompts and answers are the same for every engine and round; decoding is greedy and ignores the
end token. "single" is one request of 128 tokens and 128 new ones; "c8" and "c16" keep 8 and 16
requests of 16 to 512 tokens with 16 to 256 new ones in flight, twice as many in all.

Peers: "openvino" (its model: a directory exported by optimum-intel), "llamacpp" (a GGUF file),
"transformers" (the same directory as ours; float32).
"""

import argparse
import json
import signal
import sys
from pathlib import Path

from benchmarks.peers.closed_loop import CLOCKS
from benchmarks.peers.driver import Engine, measure
from benchmarks.peers.report import table
from benchmarks.peers.workload import WORKLOADS

PEERS = ("openvino", "llamacpp", "transformers")


def make_engines(options: argparse.Namespace) -> list[Engine]:
    def command(python: str, worker: str, model: Path) -> list[str]:
        module = f"benchmarks.peers.{worker}_worker"
        return [python, "-m", module, str(model.resolve()), "--threads", str(options.threads)]

    name, dtype = f"genspec {options.dtype}", ("--dtype", options.dtype)
    own = [*command(sys.executable, "genspec", options.model), *dtype]
    engines = [Engine(name, own, is_own=True)]
    for source in map(Path.resolve, options.source):
        engines.append(
            Engine(f"{name} of {source.name}", [*own, "--source", str(source)], is_own=True)
        )
    if options.http:
        if options.clock == "cpu":
            raise SystemExit("--http: the server's CPU time is not known to its clients")
        http = [*command(sys.executable, "http", options.model), *dtype]
        engines.append(Engine(f"{name} over HTTP", http, is_own=True))
    for peer, python, model in options.peer:
        if peer not in PEERS:
            raise SystemExit(f"no peer is called {peer!r}: {', '.join(PEERS)}")
        # Not resolved: an environment's python is a link to another one.
        theirs = command(str(Path(python).absolute()), peer, Path(model))
        engines.append(Engine(f"{peer} {Path(model).name}", theirs, is_own=False))
    return engines


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("model", type=Path, help="transformers directory for our engine")
    parser.add_argument("--dtype", default="int8", help="of our engine: int8 or float32")
    parser.add_argument(
        "--peer", nargs=3, action="append", default=[], metavar=("NAME", "PYTHON", "MODEL"),
        help="another engine, the interpreter that has it, and the model in its own format",
    )  # fmt: skip
    parser.add_argument(
        "--source", type=Path, action="append", default=[], metavar="CHECKOUT",
        help="another checkout of this project, to be measured beside this one",
    )  # fmt: skip
    parser.add_argument(
        "--http", action="store_true", help="also our server, with clients that read its streams"
    )
    parser.add_argument("--workloads", nargs="+", choices=WORKLOADS, default=WORKLOADS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--clock", choices=CLOCKS, default="wall",
        help="cpu: seconds are CPU time of an engine's process; with one thread on a busy machine",
    )  # fmt: skip
    parser.add_argument(
        "--records", type=Path,
        help="file to which every run is added; benchmarks.peers.report makes tables of such files",
    )  # fmt: skip
    options = parser.parse_args()
    # So that workers, which may be stopped, are never left behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    records = measure(make_engines(options), options.workloads, options.rounds, options.clock)
    if options.records is not None:
        with options.records.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
    print(table(records))


if __name__ == "__main__":
    main()
