"""Fetch a known model once, so that it is there as an ordinary directory ever after."""

import errno
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from engine.hub.download import fetch_gguf
from engine.hub.errors import HubError
from engine.hub.registry import KnownModel, known_model
from engine.hub.store import model_path, models_home, publish, workspace


def pull(name: str, home: Path | None = None, *, progress: bool = True) -> Path:
    """Make the known model ``name`` available under ``home`` and return its directory.

    Nothing is done where it is there already, and a pull of the same model that runs elsewhere is
    waited for. ``progress`` shows pip's bar and our own on stderr. Raises HubError; neither that
    nor an interrupt, which goes through as it is, leaves anything behind.
    """
    model = known_model(name)
    target = model_path(name, models_home() if home is None else home)
    if target.is_dir():
        return target
    try:
        with workspace(target, lambda: _announce_wait(name, progress)) as work:
            if not target.is_dir():  # else the pull that we waited for has made it
                publish(_make(model, work, progress=progress), target)
    except OSError as error:
        raise HubError(_explain(error, target)) from error
    return target


def _announce_wait(name: str, visible: bool) -> None:
    if visible:
        print(f"Waiting for another process that is pulling {name}", file=sys.stderr, flush=True)


def _make(model: KnownModel, work: Path, *, progress: bool) -> Path:
    # gguf and tokenizers are slow to import, and only a real pull needs them.
    from engine.hub.convert import convert

    gguf_path = fetch_gguf(model, work, progress=progress)
    directory = work / model.name
    directory.mkdir()
    with _progress_bar(f"Converting {model.name}", progress) as tell:
        convert(model, gguf_path, directory, tell)
    return directory


@contextmanager
def _progress_bar(label: str, visible: bool) -> Iterator[Callable[[int, int], None]]:
    """Yields the function to tell the bytes done and their total."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), disable=not visible) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _explain(error: OSError, target: Path) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return (
            f"the disk became full while pulling {target.name}, so it was undone; free some space, "
            "or set GENSPEC_HOME to a larger disk"
        )
    reason = error.strerror or type(error).__name__
    return f"cannot write below {target.parent} ({reason}); set GENSPEC_HOME to a writable folder"
