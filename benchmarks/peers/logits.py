"""Writes a peer's float32 logits [T, V] after each of some tokens, computed one at a time.

    python -m benchmarks.peers.logits NAME MODEL TOKEN_IDS.json LOGITS.npy

One at a time, as in decoding, so that a cache of less precision counts.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Row = NDArray[np.float32]


def openvino_rows(model: Path, token_ids: Sequence[int]) -> Iterator[Row]:
    import openvino

    properties = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 1}
    compiled = openvino.Core().compile_model(model / "openvino_model.xml", "CPU", properties)
    request = compiled.create_infer_request()
    for position, token_id in enumerate(token_ids):
        inputs = {
            "input_ids": np.array([[token_id]]),
            "attention_mask": np.ones((1, position + 1), dtype=np.int64),
            "position_ids": np.array([[position]]),
            "beam_idx": np.zeros(1, dtype=np.int32),
        }
        request.infer(inputs)
        yield request.get_tensor("logits").data[0, -1]


def llamacpp_rows(model: Path, token_ids: Sequence[int]) -> Iterator[Row]:
    from benchmarks.peers.llamacpp_worker import LlamaCpp

    engine = LlamaCpp(model, num_threads=1)
    sequence = engine.start(0, ())
    for token_id in token_ids:
        sequence.pending = [token_id]
        yield engine.step()[0][1]


ENGINES = {"openvino": openvino_rows, "llamacpp": llamacpp_rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument("model", type=Path)
    parser.add_argument("token_ids", type=Path)
    parser.add_argument("logits", type=Path)
    options = parser.parse_args()
    token_ids = json.loads(options.token_ids.read_text())
    rows = [row.copy() for row in ENGINES[options.engine](options.model, token_ids)]
    np.save(options.logits, np.stack(rows))


if __name__ == "__main__":
    main()
