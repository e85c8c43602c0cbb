"""Commands without a server: what they ask of an engine, and what they print."""

import io
import sys
from pathlib import Path
from typing import Any

import pytest

from app import cli
from app.console.session import working
from engine import GenerationError, InvalidRequestError, ModelLoadError
from engine.hub import KNOWN_MODELS
from tests.fake_engine import FakeEngine, chunks
from tests.tiny_models import save_model


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    """What the commands get instead of a model."""
    engine = FakeEngine(script=chunks("Hel", "lo"))
    monkeypatch.setattr(cli, "make_engine", lambda *_: engine)
    return engine


def run(*arguments: str) -> int:
    return cli.main([*arguments, "--model", "."])


def asked(engine: FakeEngine) -> dict[str, Any]:
    [request] = engine.requests
    params = request.sampling_params
    return {name: getattr(params, name) for name in params.__slots__}


def test_generate_prints_the_continuation_and_nothing_else(
    engine: FakeEngine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("generate", "Once") == 0

    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("Hello\n", "")
    assert engine.requests[0].prompt == "Once"
    assert engine.has_stopped


def test_generate_prints_while_it_generates(
    engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, int]] = []

    class Screen(io.StringIO):
        def flush(self) -> None:
            seen.append((self.getvalue(), engine.num_yielded))

    monkeypatch.setattr(sys, "stdout", Screen())
    run("generate", "Once")

    assert seen[:2] == [("Hel", 1), ("Hello", 2)]


def test_generate_takes_its_values_and_defaults_from_the_document(engine: FakeEngine) -> None:
    run("generate", "Once")
    plain = asked(engine)
    engine.requests.clear()
    words = "--max-new-tokens 7 --temperature 0.5 --top-k 3 --top-p 0.9 --seed 5 --stop 1"
    run("generate", "Once", *words.split(), "--max-iter-times", "9")
    changed = asked(engine)

    assert (plain["do_sample"], plain["max_new_tokens"]) == (False, 20)
    assert changed == plain | {
        "max_new_tokens": 7,
        "do_sample": True,
        "temperature": 0.5,
        "top_k": 3,
        "top_p": 0.9,
        "seed": 5,
        "stop": ("1",),
    }


@pytest.mark.parametrize("arguments", [[], ["-"]])
def test_generate_reads_standard_input(
    engine: FakeEngine, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("two\nlines\n"))
    run("generate", *arguments)

    assert engine.requests[0].prompt == "two\nlines"


@pytest.mark.parametrize(
    ("arguments", "failure", "status", "message"),
    [
        (["--temperature", "hot"], None, 2, "temperature: must be a number"),
        (["--max-new-tokens", "513"], None, 2, "max_new_tokens: must be at most 512"),
        ([], InvalidRequestError("text_input", "is too long"), 1, "text_input: is too long"),
        ([], GenerationError("the model failed"), 1, "the model failed"),
    ],
)
def test_failures_are_one_line(
    engine: FakeEngine,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    failure: Exception | None,
    status: int,
    message: str,
) -> None:
    engine.failure, engine.script = failure, []
    assert run("generate", "Once", *arguments) == status

    assert capsys.readouterr().err == f"genspec: error: {message}\n"


def test_a_model_that_cannot_be_loaded_is_one_line(
    engine: FakeEngine, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.start_failure = ModelLoadError("the weights are\nbroken")
    assert run("generate", "Once") == 1

    assert capsys.readouterr().err == "genspec: error: the weights are broken\n"


def test_a_reader_that_has_seen_enough_is_no_failure_to_tell(
    engine: FakeEngine, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Closed(io.StringIO):
        def write(self, _text: str) -> int:
            raise BrokenPipeError

        def fileno(self) -> int:
            return spare.fileno()

    with open("/dev/null", "wb") as spare:
        monkeypatch.setattr(sys, "stdout", Closed())
        assert run("generate", "Once") == 1
    assert capfd.readouterr().err == ""


def test_bench_prints_a_row_for_each_number_at_once(
    engine: FakeEngine, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.seconds_per_chunk = 0.01
    assert run("bench", "--at-once", "1,3,8", "--tokens", "2") == 0

    text = capsys.readouterr().out
    rows = [
        [cell.strip() for cell in line.strip("│").split("│")]
        for line in text.splitlines()
        if line.startswith("│")
    ]
    assert [row[0] for row in rows] == ["1", "3", "8"]
    assert all(row[1:4] == ["2", "2", "2.5"] for row in rows)  # what the engine says of its tokens
    per_second = [float(row[4]) for row in rows]
    assert 0 < per_second[0] < per_second[2]
    assert len(engine.requests) == 1 + 4 + 4 + 8  # the first to warm up
    assert {request.sampling_params.max_new_tokens for request in engine.requests} == {2}
    assert all(request.sampling_params.ignore_eos for request in engine.requests)


def test_bench_refuses_before_it_loads(
    engine: FakeEngine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("bench", "--tokens", "0") == 2

    assert "max_new_tokens: must be at least 1" in capsys.readouterr().err
    assert not engine.is_ready


def test_models_shows_what_is_known_and_what_is_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GENSPEC_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    here, missing = KNOWN_MODELS
    directory = tmp_path / "models" / here
    directory.mkdir(parents=True)
    with (directory / "model.safetensors").open("wb") as weights:
        weights.truncate(123_000_000)
    packed = directory / ".genspec" / "int8-of-some-kind.safetensors"
    packed.parent.mkdir()
    with packed.open("wb") as weights:
        weights.truncate(456_000_000)
    assert cli.main(["models"]) == 0

    text = capsys.readouterr().out
    [row_here] = [line for line in text.splitlines() if f"│ {here} " in line]
    [row_missing] = [line for line in text.splitlines() if f"│ {missing} " in line]
    for word in ("(default)", "0.12 + 0.46 GB", "Apache-2.0", "pulled"):
        assert word in row_here
    for word in (f"genspec pull {missing}", KNOWN_MODELS[missing].license):
        assert word in row_missing
    assert str(tmp_path) in text.replace("\n", "")


def test_nothing_spins_where_nobody_looks(capfd: pytest.CaptureFixture[str]) -> None:
    with working("Loading"):
        pass
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow  # imports torch
def test_a_real_model_speaks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = save_model(tmp_path / "tiny")
    settings = "--max-seq-len 128 --max-iter-times 32 --max-new-tokens 5 --num-threads 1".split()
    command = ["generate", "The capital", "--model", str(directory), *settings]
    texts = []
    for _ in range(2):
        assert cli.main(command) == 0
        texts.append(capsys.readouterr().out)

    assert texts[0] == texts[1]
    assert len(texts[0]) > 1
