"""How far the peers' int8 is from float32, on the texts of benchmarks.quality.

    python -m benchmarks.peers.quality DIRECTORY --peer NAME PYTHON MODEL ...

DIRECTORY is the transformers model that the peers' models were made from.
"""

import argparse
import json
import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from torch import Tensor
from transformers import AutoTokenizer

from benchmarks.peers.driver import ROOT
from benchmarks.quality import TEXTS, compare, reference_logits


def peer_logits(name: str, python: str, model: str, token_ids: list[int]) -> Tensor:
    """Logits [T, V] of a peer, from a process in its own environment."""
    with TemporaryDirectory() as folder:
        given, made = Path(folder, "token_ids.json"), Path(folder, "logits.npy")
        given.write_text(json.dumps(token_ids))
        command: list[str | Path] = [Path(python).absolute(), "-m", "benchmarks.peers.logits"]
        subprocess.run(
            [*command, name, Path(model).resolve(), given, made],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return torch.from_numpy(np.load(made))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument(
        "--peer", nargs=3, action="append", required=True, metavar=("NAME", "PYTHON", "MODEL")
    )
    parser.add_argument("--tokens", type=int, default=700)
    options = parser.parse_args()
    tokenizer = AutoTokenizer.from_pretrained(options.directory)
    print(
        "| engine | text | KL | argmax agreement | perplexity | change |\n|---|---|---|---|---|---|"
    )
    for text_name, text in TEXTS.items():
        token_ids = tokenizer.encode(text)[: options.tokens]
        reference = reference_logits(options.directory, token_ids)
        for name, python, model in options.peer:
            logits = peer_logits(name, python, model, token_ids)
            kl, before, after = compare(logits, reference, token_ids)
            agreement = (logits.argmax(-1) == reference.argmax(-1)).double().mean()
            print(
                f"| {name} {Path(model).name} | {text_name} | {kl:.6f} | {agreement:.3f}"
                f" | {before:.3f} -> {after:.3f} | {100 * (after / before - 1):+.2f} % |"
            )


if __name__ == "__main__":
    main()
