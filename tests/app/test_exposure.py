"""A server that others can reach does not start without keys, unless it is told to."""

from pathlib import Path

import pytest

from app import cli
from app.exposure import check_exposure
from app.settings import Settings, SettingsError


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "2001:db8::1"])
def test_an_address_that_others_can_reach_needs_keys(host: str) -> None:
    with pytest.raises(SettingsError, match=f"^host: others can connect to {host}"):
        check_exposure(Settings(host=host))
    check_exposure(Settings(host=host, allow_anonymous=True))
    check_exposure(Settings(host=host, api_keys_file=Path("keys.json")))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost", "no.such.invalid"])
def test_loopback_needs_none(host: str) -> None:
    check_exposure(Settings(host=host))


def test_the_command_says_so_in_one_line_before_it_loads_anything(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["serve", "--host", "0.0.0.0", "--model", "/nowhere"]) == 2

    error = capsys.readouterr().err
    assert error.startswith("genspec: error: host (from --host): ")
    assert error.count("\n") == 1
    assert "genspec keys add" in error
    assert "--allow-anonymous true" in error
