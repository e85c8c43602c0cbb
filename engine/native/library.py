"""Loads the compiled decoder, and owns one team of threads that runs it."""

import ctypes
import weakref
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from engine.native import abi

_SIZE_LIMIT = 1 << 30  # the decoder counts in 32 bits


@cache
def _library() -> ctypes.CDLL | None:
    for path in sorted(Path(__file__).parent.glob("_decoder*.so")):
        library = ctypes.CDLL(str(path))
        if not _is_of_these_sources(library):
            raise RuntimeError(
                f"{path.name} was compiled from other sources: install genspec again"
            )
        library.genspec_team_new.restype = ctypes.c_void_p
        library.genspec_team_new.argtypes = (
            ctypes.POINTER(abi.Model), ctypes.c_int32, ctypes.c_int32, ctypes.c_int32,
            ctypes.POINTER(ctypes.c_int32),
        )  # fmt: skip
        library.genspec_team_delete.argtypes = (ctypes.c_void_p,)
        library.genspec_team_forward.argtypes = (ctypes.c_void_p, ctypes.POINTER(abi.Batch))
        library.genspec_team_instructions.argtypes = (ctypes.c_void_p,)
        library.genspec_team_instructions.restype = ctypes.c_char_p
        return library
    return None


def _is_of_these_sources(library: ctypes.CDLL) -> bool:
    structs = (abi.Model, abi.Layer, abi.Span, abi.Batch)
    try:
        return bool(library.genspec_struct_bytes() == sum(map(ctypes.sizeof, structs)))
    except AttributeError:
        return False


def is_available() -> bool:
    """Whether the decoder was compiled when genspec was installed. RuntimeError where it was from
    sources of another version, whose structs differ."""
    return _library() is not None


def _new_team(
    library: ctypes.CDLL, model: abi.Model, max_tokens: int, max_positions: int, num_threads: int
) -> ctypes.c_void_p:
    team, lacks_threads = None, ctypes.c_int32()
    if max(max_tokens, max_positions, num_threads) < _SIZE_LIMIT:
        team = library.genspec_team_new(
            ctypes.byref(model), max_tokens, max_positions, num_threads, ctypes.byref(lacks_threads)
        )
    if lacks_threads:
        raise RuntimeError(f"the native decoder cannot start {num_threads} threads")
    if team is None:
        raise MemoryError(
            f"the native decoder has no memory for steps of {max_tokens} tokens,"
            f" sequences of {max_positions} positions and {num_threads} threads"
        )
    return ctypes.c_void_p(team)


class NativeDecoder:
    """A model, packed, and the threads that compute it. One forward pass at a time.

    The memory behind ``model``'s pointers must outlive this object. ``max_tokens`` bounds the
    tokens of one pass, ``max_positions`` the length of a sequence. Raises MemoryError where these
    need more memory than there is, and RuntimeError where the threads cannot be started.
    """

    def __init__(
        self, model: abi.Model, max_tokens: int, max_positions: int, num_threads: int
    ) -> None:
        library = _library()
        if library is None:
            raise RuntimeError("the native decoder was not built")
        self._library = library
        self._team = _new_team(library, model, max_tokens, max_positions, num_threads)
        self._finalizer = weakref.finalize(self, library.genspec_team_delete, self._team)

    @property
    def instructions(self) -> str:
        """The instruction set in use: avx512vnni, avx512, avx2 or portable."""
        return str(self._library.genspec_team_instructions(self._team).decode())

    def forward(
        self,
        token_ids: Sequence[int],
        spans: Sequence[abi.Span],
        sampled: Sequence[int],
        logits: int,
    ) -> None:
        """Run the tokens through all layers, write the spans' keys and values, and the float32
        logits [len(sampled), vocabulary] of the sampled rows to the address ``logits``.

        The interpreter runs on meanwhile.
        """
        batch = abi.Batch(
            token_ids=(ctypes.c_int32 * len(token_ids))(*token_ids),
            tokens=len(token_ids),
            spans=(abi.Span * len(spans))(*spans),
            num_spans=len(spans),
            sampled=(ctypes.c_int32 * len(sampled))(*sampled),
            num_sampled=len(sampled),
            logits=logits,
        )
        self._library.genspec_team_forward(self._team, ctypes.byref(batch))
