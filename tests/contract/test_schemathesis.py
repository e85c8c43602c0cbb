"""schemathesis as anyone would run it: its command line, our schemathesis.toml, the real server."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.documents import operations
from tests.real_server import ROOT, RealServer
from tests.wire import get

# By number and seed, not by time: what is sent is the same on a slow machine as on a fast one.
SENT = ["--phases", "examples,coverage,fuzzing", "--max-examples", "12", "--seed", "20"]
STOPS = ("stop_infer", "stop_infer_version")  # nothing runs that they could stop
SECONDS = 600  # that it may take at most; about one is enough for each operation

Answers = Counter[tuple[str, int]]  # by operation and status


@pytest.mark.slow
def test_schemathesis_finds_nothing(server: RealServer) -> None:
    before = answers(server)
    run = subprocess.run(
        [
            Path(sys.executable).with_name("schemathesis"),
            *("--no-color", "run", f"{server.url}/openapi.json", *SENT),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )

    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-1000:]
    assert re.search(r"(\d+) generated, \1 passed", run.stdout)
    given = answers(server) - before
    for _, _, operation in operations(server.document):
        check_both_sides(operation["operationId"], "requestBody" in operation, given)


def check_both_sides(name: str, has_body: bool, given: Answers) -> None:
    """A run in which an operation meets refusals only, or none, has tested nothing of it."""
    good = given[name, 404 if name in STOPS else 200]
    if has_body:
        assert good >= 10, (name, given)
        assert given[name, 422] >= 10, (name, given)
    else:
        assert good >= 1, (name, given)


def answers(server: RealServer) -> Answers:
    """How many the server has given so far, as it counts them itself."""
    counted: Answers = Counter()
    text = server.exchange(get("/metrics")).body.decode()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == "genspec_requests_total":
                key = sample.labels["operation"], int(sample.labels["status"])
                counted[key] += int(sample.value)
    return counted
