"""The conformance kit against the server itself, with a real engine."""

import pytest

from app.conform.run import conform
from app.conform.target import Target
from tests.real_server import RealServer


@pytest.mark.slow  # nearly two hundred requests
def test_the_server_differs_from_its_contract_in_nothing(server: RealServer) -> None:
    report = conform(Target(server.url, None, 60), server.model)

    assert list(report.differences) == []
    assert len(report.checks) > 150
