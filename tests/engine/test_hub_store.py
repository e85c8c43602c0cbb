"""Names become directories, and half-made ones never show."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine.hub import KNOWN_MODELS, HubError, models_home, resolve
from engine.hub.store import model_path, publish, workspace

REPOSITORY = Path(__file__).parents[2]
SMOLLM2 = "smollm2-135m-instruct"


def wait_is_an_error() -> None:
    raise AssertionError("nothing else is running")


def test_the_home_is_the_configured_folder_else_the_platforms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GENSPEC_HOME", str(tmp_path))
    assert models_home() == tmp_path
    monkeypatch.delenv("GENSPEC_HOME")
    assert models_home().name == "genspec"
    assert models_home().is_absolute()


def test_a_directory_is_itself(tmp_path: Path) -> None:
    assert resolve(str(tmp_path), tmp_path / "home") == tmp_path


def test_a_known_name_is_its_pulled_directory(tmp_path: Path) -> None:
    assert resolve(SMOLLM2, tmp_path) is None
    model_path(SMOLLM2, tmp_path).mkdir(parents=True)
    assert resolve(SMOLLM2, tmp_path) == tmp_path / "models" / SMOLLM2


@pytest.mark.parametrize("name", ["", "gpt5", "~nobody-of-that-name/x", "a\0b", "x" * 5000])
def test_anything_else_is_refused_with_the_known_names(tmp_path: Path, name: str) -> None:
    with pytest.raises(HubError) as caught:
        resolve(name, tmp_path)
    message = str(caught.value)
    assert all(known in message for known in KNOWN_MODELS)
    assert "\n" not in message
    assert len(message) < 300


def test_a_workspace_is_empty_and_gone_afterwards(tmp_path: Path) -> None:
    target = tmp_path / "models" / "m"
    for _ in range(2):
        with workspace(target, wait_is_an_error) as work:
            assert list(work.iterdir()) == []
            assert work.stat().st_dev == target.parent.stat().st_dev
            (work / "half").write_text("made")
        assert list(target.parent.iterdir()) == []


def test_publishing_moves_the_whole_directory(tmp_path: Path) -> None:
    target = tmp_path / "m"
    with workspace(target, wait_is_an_error) as work:
        made = work / "made"
        made.mkdir()
        (made / "file").write_text("content")
        publish(made, target)
    assert [path.name for path in tmp_path.iterdir()] == ["m"]
    assert (target / "file").read_text() == "content"


@pytest.mark.parametrize("name", ["m", "other"])
def test_what_a_killed_pull_left_is_removed_by_the_next_of_any_model(
    tmp_path: Path, name: str
) -> None:
    script = (
        "import os, pathlib, sys\n"
        "from engine.hub.store import workspace\n"
        "with workspace(pathlib.Path(sys.argv[1]), print) as work:\n"
        "    (work / 'half').write_text('made')\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script, str(tmp_path / "m")], cwd=REPOSITORY)
    assert killed.returncode == -signal.SIGKILL
    assert [path.name for path in tmp_path.iterdir()] == [".m.partial"]
    with workspace(tmp_path / name, wait_is_an_error) as work:
        assert [path.name for path in tmp_path.iterdir()] == [f".{name}.partial"]
        assert list(work.parent.iterdir()) == [work]
    assert list(tmp_path.iterdir()) == []


def test_a_living_pull_is_left_alone_by_one_of_another_model(tmp_path: Path) -> None:
    with workspace(tmp_path / "a", wait_is_an_error) as work:
        with workspace(tmp_path / "b", wait_is_an_error):
            pass
        assert work.is_dir()


def test_many_pulls_of_few_models_never_share_a_workspace(tmp_path: Path) -> None:
    num_inside = dict.fromkeys("ab", 0)

    def pull_many(first: str, second: str) -> None:
        for name in [first, second] * 20:
            with workspace(tmp_path / name, lambda: None) as work:
                num_inside[name] += 1
                (work / "half").touch()
                assert num_inside[name] == 1
                assert [path.name for path in work.iterdir()] == ["half"]
                num_inside[name] -= 1

    with ThreadPoolExecutor(6) as pool:
        runs = [pool.submit(pull_many, *names) for names in ("ab", "ba") * 3]
        for run in runs:
            run.result(timeout=60)
    assert list(tmp_path.iterdir()) == []


def test_knowing_the_models_costs_no_heavy_import() -> None:
    script = (
        "import sys, engine.hub\n"
        "heavy = {'torch', 'transformers', 'gguf', 'numpy', 'tokenizers'}\n"
        "print(*sorted(heavy & sys.modules.keys()))\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, cwd=REPOSITORY, env=os.environ, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.split() == []
