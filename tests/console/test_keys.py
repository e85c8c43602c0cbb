"""``genspec keys``: keys are shown once, and only their hashes are kept."""

import re
from pathlib import Path

import pytest

from app import cli
from app.api_keys import KeyRing, read_keys
from app.settings import SettingsError
from tests.small_disk import small_disk

ZEROS = "0" * 64


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "keys.json"
    monkeypatch.setenv("GENSPEC_API_KEYS_FILE", str(path))
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main(["keys", *arguments]) == 0
    return capsys.readouterr().out


def test_a_key_is_shown_once_and_only_its_hash_is_kept(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = run(capsys, "add", "web").strip()
    second = run(
        capsys, "add", "batch", "--concurrency", "2", "--requests-per-minute", "60"
    ).strip()

    assert all(re.fullmatch(r"gsk_[A-Za-z0-9_-]{43}", key) for key in (first, second))
    assert first not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["keys.json"]
    ring = KeyRing(file)
    assert [ring.find(key.encode()) for key in (first, second)] == list(read_keys(file).keys)
    assert run(capsys, "list") == "web\nbatch concurrency=2 requests_per_minute=60\n"


def test_a_removed_key_is_gone(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key = run(capsys, "add", "web").strip()
    run(capsys, "add", "batch")
    run(capsys, "remove", "web")

    assert KeyRing(file).find(key.encode()) is None
    assert run(capsys, "list") == "batch\n"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["add"], "NAME"),
        (["add", "web"], "already"),
        (["add", "a/b"], "NAME"),
        (["add", "b", "--concurrency", "0"], "above 0"),
        (["remove", "other"], "no key named other"),
        (["remove", "web", "--api-keys-file", "/nowhere/keys.json"], "no key named web"),
        (["add", "web", "--api-keys-file", "/nowhere/keys.json"], "cannot be written"),
    ],
)
def test_a_mistake_is_one_line(
    file: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], word: str
) -> None:
    run(capsys, "add", "web")

    assert cli.main(["keys", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert word in error
    assert len(read_keys(file).keys) == 1


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        "{}",
        '{"keys":[]}',
        '{"keys":[{"name":"a","sha256":"short"}]}',
        f'{{"keys":[{{"name":"a","sha256":"{ZEROS}","key":"x"}}]}}',
        f'{{"keys":[{{"name":"a","sha256":"{ZEROS}"}},{{"name":"a","sha256":"{ZEROS}"}}]}}',
    ],
)
def test_a_file_without_good_keys_is_named(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "keys.json"
    if text is not None:
        path.write_text(text)

    with pytest.raises(SettingsError, match=r"^api_keys_file: ") as raised:
        KeyRing(path)
    assert "\n" not in str(raised.value)


def test_a_full_disk_leaves_the_keys_as_they_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    arguments = ("--api-keys-file", str(folder / "keys.json"))
    with small_disk(folder, 8):
        run(capsys, "add", "web", *arguments)
        before = (folder / "keys.json").read_bytes()
        (folder / "other").write_bytes(b"x" * 4096)

        assert cli.main(["keys", "add", "batch", *arguments]) != 0
        assert "No space left on device" in capsys.readouterr().err
        assert (folder / "keys.json").read_bytes() == before
        assert sorted(path.name for path in folder.iterdir()) == ["keys.json", "other"]
