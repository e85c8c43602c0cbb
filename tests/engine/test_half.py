"""The portable conversions of half-precision numbers, which no other machine's instructions do."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SOURCE = Path(__file__).parents[2] / "engine/native/decoder.cpp"
PROGRAM = """
#include "{source}"
#include <cstdio>
int main() {{
  for (uint32_t bits = 0; bits < 65536; ++bits) {{
    const float value = to_float(Half(bits));
    std::fwrite(&value, sizeof value, 1, stdout);
  }}
  float value;
  while (std::fread(&value, sizeof value, 1, stdin) == 1) {{
    const Half half = to_half(value);
    std::fwrite(&half, sizeof half, 1, stdout);
  }}
}}
"""


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("c++") is None or sys.platform != "linux", reason="needs a compiler"
)
def test_half_precision_numbers_are_converted_as_numpy_does(tmp_path: Path) -> None:
    (tmp_path / "half.cpp").write_text(PROGRAM.format(source=SOURCE))
    command = ["c++", "-O1", "-std=c++17", "-Wno-psabi", "-pthread", "half.cpp", "-o", "half"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    halves = np.arange(65536, dtype=np.uint16).view(np.float16)
    exact = halves.astype(np.float32)
    chooser = np.random.default_rng(1)
    between = chooser.integers(0, 2**32, 100_000, dtype=np.uint32).view(np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        ties = (exact[:31000] + exact[1:31001]) / 2
        floats = np.concatenate([exact, between, ties, -ties]).astype(np.float32)
        wanted = floats.astype(np.float16)
    result = subprocess.run(
        [tmp_path / "half"], input=floats.tobytes(), check=True, capture_output=True
    )
    widened = np.frombuffer(result.stdout[: 4 * 65536], np.float32)
    narrowed = np.frombuffer(result.stdout[4 * 65536 :], np.float16)
    np.testing.assert_array_equal(widened, exact)
    np.testing.assert_array_equal(narrowed, wanted)
