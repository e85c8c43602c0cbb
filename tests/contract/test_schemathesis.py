"""schemathesis as anyone would run it: its command line, our schemathesis.toml, the real server."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.real_server import ROOT, RealServer
from tests.wire import get

SECONDS = 45


@pytest.mark.slow
def test_schemathesis_finds_nothing(server: RealServer, tmp_path: Path) -> None:
    command = Path(sys.executable).with_name("schemathesis")
    url = f"{server.url}/openapi.json"
    limits = ["--seed", "20", "--max-time", str(SECONDS)]

    run = subprocess.run(
        [command, "--no-color", "run", url, *limits],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS * 4,
        check=False,
    )

    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-1000:]
    [num_passed] = re.findall(r"(\d+) generated, \1 passed", run.stdout)
    assert int(num_passed) > 500
    num_operations = sum(
        len(item.keys() - {"parameters"}) for item in server.document["paths"].values()
    )
    assert f"Tested: {num_operations}" in run.stdout
    assert num_answers(server, 200) > 20
    assert num_answers(server, 422) > 5


def num_answers(server: RealServer, status: int) -> float:
    """To generate operations; a run that meets refusals only has tested nothing."""
    pattern = rf'genspec_requests_total{{.*operation="generate.*status="{status}"}} (\S+)'
    text = server.exchange(get("/metrics")).body.decode()
    return sum(map(float, re.findall(pattern, text)))
