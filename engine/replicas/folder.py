"""What belongs to a Ray of our own: its folder, its environment, its processes and their end."""

import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from engine.replicas import reaper

if TYPE_CHECKING:
    import psutil

# Sockets lie in the folder: with what Ray adds, a longer name would not fit into an address.
_LONGEST_PARENT = 20
_TOKEN_PATH = "RAY_AUTH_TOKEN_PATH"
_SERVERS = frozenset({"raylet", "gcs_server"})


def make_folder() -> Path:
    parent = tempfile.gettempdir()
    return Path(
        tempfile.mkdtemp(prefix="gs-", dir=parent if len(parent) <= _LONGEST_PARENT else "/tmp")
    )


def environment(folder: Path) -> dict[str, str]:
    """What Ray reads when it is imported, and its processes when they start."""
    token = folder / "token"
    token.touch(mode=0o600)
    token.write_text(secrets.token_hex(32), encoding="ascii")
    return {
        "RAY_AUTH_MODE": "token",
        _TOKEN_PATH: str(token),
        # Without this, Ray on Linux takes the machine's address on its network for 127.0.0.1, and
        # all of its ports are open to that.
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
        "RAY_DISABLE_FAILURE_SIGNAL_HANDLER": "1",  # signals are the server's own
        "RAY_USAGE_STATS_ENABLED": "0",
    }


def start_reaper(folder: Path) -> "subprocess.Popen[bytes]":
    """In a session of its own, so that no signal for the server ends it before the server."""
    mark = f"{_TOKEN_PATH}={folder / 'token'}"
    command = [sys.executable, "-I", "-S", reaper.__file__, str(folder), mark]
    environment = {key: value for key, value in os.environ.items() if key != _TOKEN_PATH}
    return subprocess.Popen(command, stdin=subprocess.PIPE, env=environment, start_new_session=True)


def servers(folder: Path) -> "list[psutil.Process]":
    """The processes without which a Ray with that folder cannot go on."""
    import psutil

    children = psutil.Process().children()
    ours = [child for child in children if any(str(folder) in word for word in child.cmdline())]
    return [child for child in ours if child.name() in _SERVERS]


def is_alive(process: "psutil.Process") -> bool:
    return process.is_running() and process.status() != "zombie"
