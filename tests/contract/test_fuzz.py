"""schemathesis over every operation of a server that asks for keys."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.document import load_document
from tests.keys import add_key
from tests.live_server import serving
from tests.real_server import ROOT

# That an id to be stopped is never found is as it should be: nothing runs.
_CONFIG = """
hooks = "tests.contract.no_keys"

[warnings]
fail-on = ["missing_auth", "validation_mismatch"]

[parameters]
"path.model_name" = "fake"
"path.model_version" = "1"
"""


@pytest.mark.slow
def test_a_server_with_keys_does_what_its_document_says(tmp_path: Path) -> None:
    (tmp_path / "schemathesis.toml").write_text(_CONFIG, encoding="utf-8")
    keys_file = tmp_path / "keys.json"
    header = add_key(keys_file, "web", "gsk_fuzz").strip()
    with serving(api_keys_file=keys_file) as server:
        done = subprocess.run(
            [
                str(Path(sys.executable).with_name("schemathesis")),
                "run",
                f"http://127.0.0.1:{server.port}/openapi.json",
                f"--header={header}",
                "--phases=examples,fuzzing",
                "--max-examples=5",
                "--generation-database=none",
            ],
            capture_output=True,
            text=True,
            timeout=600,
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            check=False,
        )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    num_operations = sum(
        len(item.keys() - {"parameters"}) for item in load_document()["paths"].values()
    )
    assert f"Tested: {num_operations}" in done.stdout
