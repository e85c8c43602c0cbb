"""Gives memory back to the system."""

import ctypes
import gc


def give_back() -> None:
    """Return freed memory to the system, where the C library can.

    glibc keeps what was freed between blocks that are still in use: after packing a model, nearly
    as much as the model itself.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
