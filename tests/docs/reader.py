"""Reads a page as its reader would: commands are run, answers compared, the rest checked."""

import re
import sys
from concurrent.futures import Future
from pathlib import Path

import pytest

from sdk.tools import ToolError
from tests.clients.environments import python_with
from tests.docs.blocks import Block, blocks
from tests.docs.checks import CHECKS, check_answer
from tests.docs.shell import Shell
from tests.docs.typescript import Compiled
from tests.docs.unrun import check_unrun

COMMANDS = ("bash", "python", "ts")


class Reader:
    """Does with a page what its reader would."""

    def __init__(self, shell: Shell, compiled: Future[Compiled]) -> None:
        self.shell = shell
        self.said = ""
        self._compiled = compiled

    def do(self, block: Block) -> None:
        if "not run" in block.words:
            check_unrun(block.text)
        elif "background" in block.words:
            self.shell.start(block.text)
        elif block.language in COMMANDS:
            self.said = getattr(self, block.language)(block)
        else:
            CHECKS[block.language](block.text)
            if "file" in block.words:
                (self.shell.folder / block.words["file"]).write_text(block.text, encoding="utf-8")
            if "answer" in block.words:
                check_answer(block.language, block.text, self.said)

    def bash(self, block: Block) -> str:
        return self.shell.bash(block.text)

    def python(self, block: Block) -> str:
        needed = block.words.get("needs", "").split()
        name = re.split(r"[\[=]", needed[0])[0] if needed else ""
        python = python_with(name, *needed) if needed else sys.executable
        script = self.shell.folder / "example.py"
        script.write_text(self.shell.here(block.text), encoding="utf-8")
        return self.shell.run([python, "-W", "error::SyntaxWarning", script.name])

    def ts(self, block: Block) -> str:
        compiled = self._compiled.result()
        compiled.link_into(self.shell.folder)
        script = self.shell.folder / "example.mjs"
        script.write_text(self.shell.here(compiled.script(block)), encoding="utf-8")
        return self.shell.run(["node", script.name])


def read(page: Path, shell: Shell, compiled: Future[Compiled]) -> None:
    reader = Reader(shell, compiled)
    try:
        for block in blocks(page):
            try:
                reader.do(block)
            except Exception as exc:
                exc.add_note(f"in the block at {block.place}")
                raise
    finally:
        shell.close()


def compile_typescript(folder: Path, wanted: list[Path]) -> Compiled:
    try:
        return Compiled(folder, [block for page in wanted for block in blocks(page)])
    except ToolError as exc:
        if "error TS" in str(exc):
            raise
        pytest.skip(f"the compiler is not to be had here: {exc}")
