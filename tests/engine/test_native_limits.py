"""The native decoder where memory or threads run out: an error that says so, and nothing left."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine import LocalEngine, ModelLoadError
from engine.compiled_decoder import CompiledDecoder
from engine.native import is_available
from engine.packing import pack
from tests.engine.conftest import MakeConfig
from tests.tiny_models import NATIVE_SIZES, make_model, save_model

pytestmark = [
    pytest.mark.skipif(not is_available(), reason="built without a compiler"),
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="only Linux counts threads so"),
]
PAGE = os.sysconf("SC_PAGE_SIZE")


@contextmanager
def address_space(more: int) -> Iterator[None]:
    """At most so many bytes beyond what the process has."""
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * PAGE
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (taken + more, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def make_decoder(**sizes: int) -> CompiledDecoder:
    model = make_model("llama", **NATIVE_SIZES)
    usual = {"max_tokens": 16, "max_positions": 64, "num_threads": 1}
    weights = pack(model, quantize=True, max_positions=64)
    return CompiledDecoder(weights, **{**usual, **sizes})


@pytest.mark.parametrize("name", ["max_tokens", "max_positions", "num_threads"])
@pytest.mark.parametrize("size", [1 << 28, (1 << 32) + 1])
def test_sizes_beyond_the_memory_raise_memory_error(name: str, size: int) -> None:
    with address_space(1 << 30), pytest.raises(MemoryError, match=str(size)):
        make_decoder(**{name: size})


def test_threads_that_cannot_be_started_raise_and_those_that_were_are_ended() -> None:
    make_decoder(num_threads=3)  # whatever else starts threads has done so
    before = len(os.listdir("/proc/self/task"))
    with address_space(1 << 28), pytest.raises(RuntimeError, match="cannot start 3000 threads"):
        make_decoder(num_threads=3000)
    assert len(os.listdir("/proc/self/task")) == before


async def test_a_server_that_asks_for_too_much_is_told_so_in_one_line(
    make_config: MakeConfig, tmp_path: Path
) -> None:
    path = save_model(tmp_path, **NATIVE_SIZES)
    engine = LocalEngine(make_config(model_path=path, max_num_batched_tokens=1 << 28))
    with address_space(1 << 31), pytest.raises(ModelLoadError, match="no memory for steps of"):
        await engine.start()
