"""schemathesis over every operation of the document that a server gives out."""

import subprocess
import sys
from pathlib import Path

import pytest

from app.document import load_document
from tests.live_server import serving

# That an id to be stopped is never found is as it should be: nothing runs.
_CONFIG = """
[warnings]
fail-on = ["missing_auth", "validation_mismatch"]

[parameters]
"path.model_name" = "fake"
"path.model_version" = "1"
"""


@pytest.mark.slow
def test_the_server_does_what_its_document_says(tmp_path: Path) -> None:
    config = tmp_path / "schemathesis.toml"
    config.write_text(_CONFIG, encoding="utf-8")
    with serving() as server:
        done = subprocess.run(
            [
                str(Path(sys.executable).with_name("schemathesis")),
                "--config-file",
                str(config),
                "run",
                f"http://127.0.0.1:{server.port}/openapi.json",
                "--phases=examples,coverage,fuzzing",
                "--max-examples=10",
                "--generation-database=none",
            ],
            capture_output=True,
            text=True,
            timeout=600,
            cwd=tmp_path,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    num_operations = sum(
        len(item.keys() - {"parameters"}) for item in load_document()["paths"].values()
    )
    assert f"Tested: {num_operations}" in done.stdout
