"""The commands: what they print, and the status they end with."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from app import cli
from app.run import listen
from tests.live_server import get, wait_until
from tests.wire import Connection

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "vocab_size": 1234,
    "max_position_embeddings": 2048,
    "eos_token_id": 2,
}


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory that says it is a model, and has no weights."""
    monkeypatch.setenv("GENSPEC_HOME", str(tmp_path / "home"))
    directory = tmp_path / "some model"
    directory.mkdir()
    (directory / "config.json").write_text(json.dumps(CONFIG))
    return directory


@pytest.mark.parametrize("format", ["yaml", "json"])
def test_spec_prints_the_folded_document(
    model: Path, capsys: pytest.CaptureFixture[str], format: str
) -> None:
    status = cli.main(["spec", "--model", str(model), "--format", format, "--max-iter-times", "99"])

    read: Mapping[str, Any] = {"yaml": yaml.safe_load, "json": json.loads}
    document = read[format](capsys.readouterr().out)
    parameters = document["components"]["schemas"]["GenerateParameters"]["properties"]
    assert status == 0
    assert parameters["max_new_tokens"]["maximum"] == 99
    assert parameters["top_k"]["maximum"] == 1233
    assert document["components"]["parameters"]["ModelName"]["example"] == "some-model"


@pytest.mark.parametrize(
    ("arguments", "status", "word"),
    [
        (["serve", "--port", "x"], 2, "port"),
        (
            ["serve", "--model", "/nowhere/at/all"],
            2,
            "model_weight_path (from --model): '/nowhere/at/all'",
        ),
        (["spec", "--model", "smollm2-135m-instruct"], 2, "genspec pull smollm2-135m-instruct"),
        (["pull", "no-such-model"], 1, "no-such-model"),
    ],
)
def test_failures_are_one_line(
    model: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    status: int,
    word: str,
) -> None:
    assert cli.main(arguments) == status

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("genspec: error: ")
    assert captured.err.count("\n") == 1
    assert word in captured.err


def test_a_directory_without_a_model_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["serve", "--model", str(tmp_path)]) == 1
    assert "config.json" in capsys.readouterr().err


def test_a_port_in_use_is_named(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Listener() as port:
        assert cli.main(["serve", "--model", str(model), "--port", str(port)]) == 2

    assert (
        capsys.readouterr().err.splitlines()[-1].startswith("genspec: error: port (from --port): ")
    )


def test_a_signal_ends_a_server_cleanly() -> None:
    script = (
        "from tests.fake_engine import FakeEngine; from app import cli, deployment;"
        "cli.make_engine = lambda *_: FakeEngine(); cli.main(['serve', '--model', '.', '--port',"
        " '0'])"
    )
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", script + " and exit(9)"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    with process:
        assert process.stderr is not None
        lines = iter(process.stderr.readline, "")
        events = (json.loads(line)["event"] for line in lines)
        started = next(event for event in events if "listening on" in event)
        url, _, ui = started.removeprefix("listening on ").partition(", to be tried at ")
        assert ui == f"{url}/"
        port = int(url.rsplit(":", 1)[1])
        connection = Connection(port)
        connection.send(get("/v2/health/live"))
        assert connection.read().status == 200
        process.send_signal(signal.SIGTERM)
        wait_until(lambda: process.poll() is not None)
        connection.close()
        assert process.returncode == 0
        assert "Traceback" not in process.stderr.read()


@pytest.mark.slow  # imports torch
def test_a_model_that_cannot_be_loaded_ends_the_process(model: Path) -> None:
    """Its directory has a config.json and nothing else."""
    process = subprocess.run(
        [sys.executable, "-m", "app", "serve", "--model", str(model), "--port", "0"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert process.returncode == 1
    assert process.stderr.splitlines()[-1].startswith("genspec: error: ")
    assert "Traceback" not in process.stderr


class Listener:
    """A port that somebody else listens on."""

    def __enter__(self) -> int:
        self._sockets = listen("127.0.0.1", 0)
        self._sockets[0].listen()
        port: int = self._sockets[0].getsockname()[1]
        return port

    def __exit__(self, *_: object) -> None:
        self._sockets[0].close()
