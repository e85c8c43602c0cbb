"""Variables that name no setting, and where a refused setting came from."""

import json
import logging
import re
import subprocess
import sys
from pathlib import Path

import pytest

from app import cli
from app.environment import OTHERS, PREFIX, variable, warn_of_unknown
from app.settings import Settings, load_settings

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _no_settings_of_the_developer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*map(variable, Settings.model_fields), "GENSPEC_CONFIG"):
        monkeypatch.delenv(name, raising=False)


def variables_of_service(name: str) -> dict[str, str]:
    """What Kubernetes gives to pods beside a Service with one named port."""
    name, port = name.upper().replace("-", "_"), f"{name.upper().replace('-', '_')}_PORT_8000_TCP"
    return {
        f"{name}_SERVICE_HOST": "10.0.0.1",
        f"{name}_SERVICE_PORT": "8000",
        f"{name}_SERVICE_PORT_HTTP": "8000",
        f"{name}_PORT": "tcp://10.0.0.1:8000",
        port: "tcp://10.0.0.1:8000",
        f"{port}_PROTO": "tcp",
        f"{port}_PORT": "8000",
        f"{port}_ADDR": "10.0.0.1",
    }


def spec_error(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main(["spec", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err.removeprefix("genspec: error: ").rstrip()


def test_the_name_of_a_short_option_is_told_what_it_sets(
    caplog: pytest.LogCaptureFixture,
) -> None:
    warn_of_unknown({"GENSPEC_MODEL": "smollm2"})
    [record] = caplog.records
    assert record.getMessage().endswith(" GENSPEC_MODEL_WEIGHT_PATH")


@pytest.mark.parametrize("name", [*map(variable, Settings.model_fields), *sorted(OTHERS)])
def test_a_misspelt_variable_is_named_with_the_one_that_was_meant(
    caplog: pytest.LogCaptureFixture, name: str
) -> None:
    misspelt = f"{name[:-3]}{name[-2]}{name[-3]}{name[-1]}"
    if misspelt == name:  # two of the same letter
        misspelt = f"{name}E"
    warn_of_unknown({name: "right", misspelt: "wrong"})

    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage().startswith(f"{misspelt}: ")
    assert record.getMessage().endswith(f" {name}")


def test_variables_that_mean_something_are_passed_over(caplog: pytest.LogCaptureFixture) -> None:
    ours = {*map(variable, Settings.model_fields), *OTHERS}
    warn_of_unknown(dict.fromkeys(ours, "1") | {"genspec_port": "1", "GENSPECS": "1", "HOME": "/"})
    for service in ("genspec", "genspec-web"):
        warn_of_unknown(variables_of_service(service))

    assert not caplog.records


def test_every_variable_that_a_page_or_a_deployment_names_means_something(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A misspelt one would be told to its reader alone."""
    files = [*ROOT.glob("README*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/*")]
    text = "\n".join(file.read_text(encoding="utf-8") for file in files)
    named = set(re.findall(r"\bGENSPEC_[A-Z_]*[A-Z]\b", text))
    warn_of_unknown(dict.fromkeys(named, ""))

    assert {"GENSPEC_HOME", "GENSPEC_ALLOW_ANONYMOUS"} <= named
    assert not caplog.records


def test_a_command_without_a_log_says_it_on_stderr_and_goes_on(tmp_path: Path) -> None:
    config = {"vocab_size": 9, "max_position_embeddings": 9}
    (tmp_path / "config.json").write_text(json.dumps(config))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "app", "spec", "--model", str(tmp_path)],
        env={"GENSPEC_MAX_BATCH_SZIE": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stderr.count("\n") == 1
    assert "GENSPEC_MAX_BATCH_SIZE" in done.stderr
    assert done.stdout.startswith("openapi: ")


@pytest.mark.parametrize("source", ["option", "variable", "file"])
@pytest.mark.parametrize("name", ["port", "max_batch_size", "dtype", "model_version"])
def test_a_refused_setting_comes_with_its_source(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    source: str,
) -> None:
    file, option = tmp_path / "some.toml", f"--{name.replace('_', '-')}"
    file.write_text(f'{name} = "?"')
    arguments = ["--config", str(file)]  # the file is only named where nothing comes before it
    if source != "file":
        monkeypatch.setenv(variable(name), "?")
    if source == "option":
        arguments += [option, "?"]
    expected = {"option": option, "variable": variable(name), "file": str(file)}[source]

    assert spec_error(capsys, *arguments).startswith(f"{name} (from {expected}): ")


def test_what_is_no_setting_is_told_from_its_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "some.toml"
    file.write_text("nope = 1")
    monkeypatch.setenv("GENSPEC_CONFIG", str(file))
    assert spec_error(capsys) == f"nope (from {file}): is not a setting"

    file.unlink()
    assert spec_error(capsys).startswith("config (from GENSPEC_CONFIG): ")


def test_two_settings_that_contradict_each_other_both_come_with_their_source(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GENSPEC_MAX_SEQ_LEN", "100")
    default = Settings.model_fields["max_iter_times"].default

    error = spec_error(capsys)

    assert error.startswith(f"max_iter_times ({default} by default): ")
    assert error.endswith("max_seq_len is from GENSPEC_MAX_SEQ_LEN")


def test_the_port_that_kubernetes_sets_is_told_from_one_that_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in variables_of_service(PREFIX.rstrip("_")).items():
        monkeypatch.setenv(name, value)
    error = spec_error(capsys)
    assert error.startswith("port (from GENSPEC_PORT): ")
    assert "enableServiceLinks: false" in error

    assert load_settings({"port": "8000"}).port == 8000  # as it says: an option wins

    monkeypatch.setenv("GENSPEC_PORT", "http")
    assert "Kubernetes" not in spec_error(capsys)
