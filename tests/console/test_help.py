"""The help: one screen for the whole, readable for each command, and complete."""

import re

import pytest

from app import cli
from app.document import load_document
from app.options import BODY_FIELDS
from app.setting_options import GROUPS
from app.settings import Settings

COMMANDS = list(cli.COMMANDS)


@pytest.fixture(autouse=True)
def screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """80 columns and 24 lines."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")


def help_of(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    with pytest.raises(SystemExit) as caught:
        cli.main([*command, "--help"])
    assert caught.value.code == 0
    return capsys.readouterr().out


def test_the_help_fits_one_screen(capsys: pytest.CaptureFixture[str]) -> None:
    lines = help_of(capsys).splitlines()

    assert len(lines) < 24  # the last one is the prompt's
    assert max(map(len, lines)) <= 80
    for command in COMMANDS:
        assert any(line.split()[:1] == [command] for line in lines)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_fits_the_width_and_says_what_it_is_for(
    capsys: pytest.CaptureFixture[str], command: str
) -> None:
    text = help_of(capsys, command)

    assert max(map(len, text.splitlines())) <= 80
    assert text.startswith(f"usage: genspec {command}")
    assert re.search(r"^[A-Z].*\.$", text, re.MULTILINE)
    assert text.index("usage") < text.index("--help")


@pytest.mark.parametrize("command", ["serve", "spec"])
def test_every_setting_is_in_the_help(capsys: pytest.CaptureFixture[str], command: str) -> None:
    text = help_of(capsys, command)
    for name, field in Settings.model_fields.items():
        assert f"--{name.replace('_', '-')} " in text
        assert field.description


@pytest.mark.parametrize("command", ["generate", "bench"])
def test_local_commands_fit_two_screens(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert len(help_of(capsys, command).splitlines()) <= 30


def test_groups_name_settings_that_there_are() -> None:
    named = [name for names in GROUPS.values() for name in names]
    assert len(named) == len(set(named))
    assert set(named) <= Settings.model_fields.keys()


def test_options_of_generate_are_fields_of_the_document() -> None:
    schema = load_document()["components"]["schemas"]["GenerateRequest"]
    assert BODY_FIELDS.keys() <= schema["properties"].keys()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "COMMAND"),
        (["nonsense"], "nonsense"),
        (["serve", "--nonsense", "1"], "--nonsense"),
        (["bench", "--at-once", "1,0"], "--at-once"),
        (["bench", "--tokens", "many"], "--tokens"),
    ],
)
def test_a_wrong_command_line_is_one_line_that_says_where_to_read_on(
    capsys: pytest.CaptureFixture[str], arguments: list[str], word: str
) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)

    error = capsys.readouterr().err
    assert caught.value.code == 2
    assert error.startswith("genspec: error: ")
    assert error.count("\n") == 1
    assert word in error
    assert "--help" in error
