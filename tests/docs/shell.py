"""A folder in which the blocks of one page are run one after another, as a reader would."""

import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.docs.blocks import ROOT

SECONDS = 300  # that a block may take, or a server to be ready, on a busy machine
_ADDRESS = re.compile(r"\b(localhost|127\.0\.0\.1):(\d{4,5})\b")
_PORT = re.compile(r"--port (\d+)")
# A client looks its price list up on the network unless it is told not to.
_OFFLINE = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
_USUAL_PORT = 8000  # of a server that is not told another


class Shell:
    """Variables and files last from block to block; what is left running ends with the page."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self._ports = {_USUAL_PORT: port}  # what the page says, and what it is here
        self._variables = folder / ".variables"
        self._variables.write_text("", encoding="utf-8")
        self._background: list[subprocess.Popen[bytes]] = []

    def here(self, text: str) -> str:
        """A block with the ports that its servers have here."""

        def port(found: re.Match[str]) -> str:
            return f"{found[1]}:{self._ports.get(int(found[2]), found[2])}"

        return _ADDRESS.sub(port, text)

    def bash(self, text: str) -> str:
        """Run to the end, which must be a good one; returns what it prints."""
        name = self._variables.name
        script = f"set -euo pipefail; . ./{name}\nset -a\n{self.here(text)}\nexport -p > {name}\n"
        return self.run(["bash", "-c", script])

    def run(self, command: list[str], **environment: str) -> str:
        try:
            done = subprocess.run(
                command,
                cwd=self.folder,
                env=self._environment() | environment,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired as exc:
            raise AssertionError(f"still running after {SECONDS} s: {command}") from exc
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    def start(self, text: str) -> None:
        """Leave it running on a free port, which the page's own port means from now on."""
        own = _PORT.search(text)
        said, free = int(own[1]) if own else _USUAL_PORT, _free_port()
        self._ports[said] = free
        text = self.here(_PORT.sub(f"--port {free}", text)).strip()
        with tempfile.TemporaryFile() as log:
            process = subprocess.Popen(
                ["bash", "-c", f". ./{self._variables.name}; exec {text}"],
                cwd=self.folder,
                env=self._environment() | {"GENSPEC_PORT": str(free)},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            self._background.append(process)
            if not _answers(free, process):
                log.seek(0)
                raise AssertionError(log.read()[-3000:].decode())

    def close(self) -> None:
        for process in self._background:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(SECONDS)

    def _environment(self) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("GENSPEC_")}
        if "GENSPEC_HOME" in os.environ:
            kept["GENSPEC_HOME"] = os.environ["GENSPEC_HOME"]
        paths = os.pathsep.join([str(ROOT / "sdk/python"), str(ROOT)])
        programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        return kept | {"PATH": programs, "PYTHONPATH": paths, "NO_COLOR": "1", **_OFFLINE}


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def _answers(port: int, process: "subprocess.Popen[bytes]") -> bool:
    """Whether a server is ready there before its process ends."""
    unchecked = ssl._create_unverified_context()
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        for scheme in ("http", "https"):
            url = f"{scheme}://localhost:{port}/v2/health/ready"
            try:
                urllib.request.urlopen(url, timeout=5, context=unchecked).close()
                return True
            except OSError:
                continue
        time.sleep(0.1)
    return False
