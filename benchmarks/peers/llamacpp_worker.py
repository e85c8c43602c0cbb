"""llama.cpp through the low-level interface of llama-cpp-python, with continuous batching."""

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import llama_cpp
import numpy as np
from numpy.typing import NDArray

from benchmarks.peers.closed_loop import ClosedLoop
from benchmarks.peers.worker import Run, serve

_MAX_SEQUENCES = 16
_MAX_TOKENS = 768  # of one sequence
_MAX_BATCHED_TOKENS = 512


@dataclass(slots=True)
class Sequence:
    index: int
    slot: int
    pending: list[int]  # tokens that are not computed yet
    num_computed: int = 0


class LlamaCpp:
    """One step computes the next token of every running sequence and parts of new prompts."""

    def __init__(self, model: Path, num_threads: int) -> None:
        llama_cpp.llama_backend_init()
        self._model = llama_cpp.llama_model_load_from_file(
            str(model).encode(), llama_cpp.llama_model_default_params()
        )
        vocabulary = llama_cpp.llama_model_get_vocab(self._model)
        self._vocab_size = llama_cpp.llama_vocab_n_tokens(vocabulary)
        parameters = llama_cpp.llama_context_default_params()
        parameters.n_ctx = _MAX_SEQUENCES * _MAX_TOKENS
        parameters.n_seq_max = _MAX_SEQUENCES
        parameters.n_batch = parameters.n_ubatch = _MAX_BATCHED_TOKENS
        parameters.n_threads = parameters.n_threads_batch = num_threads
        self._context = llama_cpp.llama_init_from_model(self._model, parameters)
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._batch = llama_cpp.llama_batch_init(_MAX_BATCHED_TOKENS, 0, 1)
        self._sequences: dict[int, Sequence] = {}  # by slot

    def run(self, loop: ClosedLoop) -> None:
        while not loop.is_finished:
            while (next_request := loop.next_request()) is not None:
                index, request = next_request
                self.start(index, request.prompt)
            for sequence, logits in self.step():
                sequence.pending = [int(logits.argmax())]
                if loop.received(sequence.index, 1):
                    self._end(sequence)

    def start(self, index: int, token_ids: Iterable[int]) -> Sequence:
        slot = min(set(range(_MAX_SEQUENCES)) - self._sequences.keys())
        self._sequences[slot] = Sequence(index, slot, list(token_ids))
        return self._sequences[slot]

    def _end(self, sequence: Sequence) -> None:
        del self._sequences[sequence.slot]
        llama_cpp.llama_memory_seq_rm(self._memory, sequence.slot, -1, -1)

    def step(self) -> list[tuple[Sequence, NDArray[np.float32]]]:
        """The logits [V], until the next step, of each sequence that is computed to its end."""
        room = _MAX_BATCHED_TOKENS - len(self._sequences)  # beside one token of each
        rows = []
        self._batch.n_tokens = 0
        # In the order of the slots: libllama splits a batch in which they are out of order.
        for _, sequence in sorted(self._sequences.items()):
            count = min(len(sequence.pending), 1 + room)
            room -= count - 1
            self._add(sequence, count)
            if not sequence.pending:
                rows.append((sequence, self._batch.n_tokens - 1))
        status = llama_cpp.llama_decode(self._context, self._batch)
        if status != 0:
            raise RuntimeError(f"llama_decode returned {status}")
        return [(sequence, self._logits(row)) for sequence, row in rows]

    def _logits(self, row: int) -> NDArray[np.float32]:
        pointer = llama_cpp.llama_get_logits_ith(self._context, row)
        return np.ctypeslib.as_array(pointer, (self._vocab_size,))

    def _add(self, sequence: Sequence, count: int) -> None:
        batch = self._batch
        for token_id in sequence.pending[:count]:
            row = batch.n_tokens
            batch.token[row] = token_id
            batch.pos[row] = sequence.num_computed
            batch.n_seq_id[row] = 1
            batch.seq_id[row][0] = sequence.slot
            batch.logits[row] = False
            batch.n_tokens += 1
            sequence.num_computed += 1
        sequence.pending = sequence.pending[count:]
        batch.logits[batch.n_tokens - 1] = not sequence.pending


def load(model: Path, num_threads: int) -> Run:
    return LlamaCpp(model, num_threads).run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path, help="GGUF file")
    parser.add_argument("--threads", type=int, required=True)
    options = parser.parse_args()
    serve(lambda: load(options.model, options.threads))


if __name__ == "__main__":
    main()
