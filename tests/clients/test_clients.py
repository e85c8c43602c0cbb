"""Clients that other people wrote, each driven by a script that exits 0 when its checks pass."""

import shutil
import subprocess
import sys

import pytest

from tests.clients.environments import SCRIPTS, node_with, python_with
from tests.embedded_server import MODEL, EmbeddedServer

pytestmark = pytest.mark.e2e

_SECONDS = 600


def drive(real: EmbeddedServer, *command: str) -> str:
    """Run one script against the server; what it prints, which says what failed."""
    done = subprocess.run(
        [*command, real.url, MODEL],
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def script(name: str) -> str:
    return str(SCRIPTS / name)


def test_curl(real: EmbeddedServer) -> None:
    assert "FAIL" not in drive(real, "bash", script("try_curl.sh"))


def test_requests_and_sseclient(real: EmbeddedServer) -> None:
    assert "ok   100 requests at once" in drive(real, sys.executable, script("try_sse_requests.py"))


@pytest.mark.clients
def test_tritonclient(real: EmbeddedServer) -> None:
    python = python_with("tritonclient", "tritonclient[http]==2.73.0")
    output = drive(real, python, script("try_tritonclient.py"))

    assert "ok   infer" in output
    assert "ok   statistics shape" in output
    assert "ok   model config" in output


@pytest.mark.clients
def test_kserve(real: EmbeddedServer) -> None:
    python = python_with("kserve", "kserve==0.21.0")

    assert "ok   infer" in drive(real, python, script("try_kserve.py"))


@pytest.mark.clients
def test_litellm(real: EmbeddedServer) -> None:
    python = python_with("litellm", "litellm==1.80.0")

    assert "ok   async stream" in drive(real, python, script("try_litellm.py"))


@pytest.mark.clients
def test_javascript(real: EmbeddedServer) -> None:
    home = node_with("node", "eventsource-parser@3", "@microsoft/fetch-event-source@2")
    copy = shutil.copy(script("try_js.mjs"), home)  # imports are looked up beside the script

    assert "ok   eventsource-parser" in drive(real, "node", str(copy))
