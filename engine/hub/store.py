"""Where pulled models live on disk, and how a new one comes to be there in one step."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import platformdirs

from engine.hub.registry import known_model

_PARTIAL = ".partial"


def models_home() -> Path:
    """The cache folder: ``GENSPEC_HOME``, else the platform's own place for caches."""
    configured = os.environ.get("GENSPEC_HOME")
    return Path(configured).expanduser() if configured else platformdirs.user_cache_path("genspec")


def model_path(name: str, home: Path) -> Path:
    """Where the known model of that name is, or will be once pulled."""
    return home.absolute() / "models" / name


def resolve(name_or_dir: str, home: Path) -> Path | None:
    """The directory of a model: the one given, or that of a known name; None if not pulled yet.

    A directory wins over a known name. Raises HubError when it is neither.
    """
    directory = os.path.expanduser(name_or_dir)
    if os.path.isdir(directory):  # false for "", for a NUL and for a name too long; Path's is not
        return Path(directory)
    target = model_path(known_model(name_or_dir).name, home)
    return target if target.is_dir() else None


@contextmanager
def workspace(target: Path, on_wait: Callable[[], None]) -> Iterator[Path]:
    """An empty directory beside ``target``, ours alone, gone at the end whatever happens.

    Calls ``on_wait`` and then waits where another pull of the same target runs. Removes what
    pulls that were killed left behind. Raises OSError.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}{_PARTIAL}")
    _sweep(target.parent, partial)
    lock = _claim_or_wait(partial, on_wait)
    try:
        for leftover in partial.iterdir():
            shutil.rmtree(leftover, ignore_errors=True)
        # A directory of a name never used before: a downloader that outlives its killed parent
        # cannot write into it.
        yield Path(tempfile.mkdtemp(dir=partial))
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        os.close(lock)


def publish(directory: Path, target: Path) -> None:
    """Move a finished directory to its final name; a crash leaves either all of it or nothing."""
    for path in [*directory.iterdir(), directory]:
        _flush(path)
    directory.rename(target)
    _flush(target.parent)


def _flush(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sweep(models: Path, ours: Path) -> None:
    """Remove what dead pulls of other models left; our own directory is emptied once it is ours."""
    for partial in models.glob(f".*{_PARTIAL}"):
        if partial == ours:
            continue
        try:
            lock = _claim(partial, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue  # its pull is alive
        shutil.rmtree(partial, ignore_errors=True)
        os.close(lock)


def _claim_or_wait(partial: Path, on_wait: Callable[[], None]) -> int:
    try:
        return _claim(partial, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        on_wait()
        return _claim(partial, fcntl.LOCK_EX)


def _claim(partial: Path, operation: int) -> int:
    """Make the directory where it is missing, and lock it; returns the descriptor to close.

    The kernel drops a lock with its process, so none is ever stale. The directory may be removed
    by its owner before we have the lock: then what we locked is not at that path any more.
    Raises BlockingIOError if it is taken and ``operation`` says not to wait.
    """
    while True:
        with suppress(FileExistsError):  # Path.mkdir's exist_ok fails if it is removed meanwhile
            os.mkdir(partial)
        try:
            lock = os.open(partial, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            continue
        try:
            fcntl.flock(lock, operation)
            if _is_at(lock, partial):
                return lock
        except BaseException:
            os.close(lock)
            raise
        os.close(lock)


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
