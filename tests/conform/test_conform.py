"""The kit finds nothing where there is nothing, and every planted fault."""

import json
from collections.abc import Iterator
from typing import cast
from xml.etree import ElementTree

import pytest

from app import cli
from app.conform.report import FORMATS, Difference, Report
from app.conform.run import checks_of, conform, look
from app.conform.subject import Subject, find_subject
from app.conform.target import Target
from tests.conform.faults import FAULTS, REQUESTS
from tests.conform.planted import Planted
from tests.fake_engine import FakeEngine
from tests.live_server import serving
from tests.mocks import mock

planted = Planted()


@pytest.fixture(scope="module")
def target() -> Iterator[Target]:
    with serving(cast(FakeEngine, mock()), planted.wrap) as live:
        yield Target(f"http://127.0.0.1:{live.port}", "a-key", 20)


@pytest.fixture(scope="module")
def subject(target: Target) -> Subject:
    return find_subject(target, None)


@pytest.fixture(autouse=True)
def _sound() -> Iterator[None]:
    planted.clear()
    yield
    planted.clear()


def differences(target: Target, subject: Subject, name: str) -> list[Difference]:
    """What the checks of a name that begins so find."""
    checks = [check for check in checks_of(subject) if check.name.startswith(name)]
    assert checks
    return [found for check in checks if (found := look(target, check)) is not None]


def test_a_server_that_keeps_the_contract_differs_in_nothing(target: Target) -> None:
    report = conform(target, None)

    assert list(report.differences) == []
    assert len(report.checks) > 150
    assert len(set(report.checks)) == len(report.checks)
    assert planted.keys == {"Bearer a-key"}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(target: Target, subject: Subject, name: str) -> None:
    check, planted.fault = FAULTS[name]
    found = differences(target, subject, check)

    assert found
    assert found[0].request.startswith("curl -sN -i -X ")


@pytest.mark.parametrize("name", REQUESTS)
def test_a_bound_that_is_not_kept_is_found(target: Target, subject: Subject, name: str) -> None:
    check, planted.request = REQUESTS[name]

    assert differences(target, subject, check)


REPORT = Report("http://x", ["a", "b"], [Difference("a", "1 < 2", "\0", "curl '&'")])


def test_every_format_holds_every_difference() -> None:
    assert json.loads(FORMATS["json"](REPORT))["differences"][0]["request"] == "curl '&'"
    suite = ElementTree.fromstring(FORMATS["junit"](REPORT))
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    assert [case.find("failure") is not None for case in suite] == [True, False]
    assert "<td>1 &lt; 2</td>" in FORMATS["html"](REPORT)
    assert "expected  1 < 2" in FORMATS["text"](REPORT)
    assert "2 checks, 1 differences" in FORMATS["text"](REPORT)


def test_the_command_tells_by_its_status(
    target: Target, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["conform", target.url]) == 0
    assert capsys.readouterr().out.endswith(" 0 differences\n")
    _, planted.fault = FAULTS["no Allow"]
    assert cli.main(["conform", target.url, "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["differences"]
    assert [each["check"] for each in found] == ["method: GET generate", "method: DELETE /v2"]


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("127.0.0.1:8000", "is no address"),
        ("http://127.0.0.1:1", "cannot be asked"),
    ],
)
def test_what_is_no_server_is_one_line(
    capsys: pytest.CaptureFixture[str], url: str, problem: str
) -> None:
    assert cli.main(["conform", url]) == 2
    assert problem in capsys.readouterr().err


def test_a_model_that_is_not_there_is_one_line(
    target: Target, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["conform", target.url, "--model", "nope"]) == 2
    assert "does not tell its limits" in capsys.readouterr().err
