"""The TypeScript of the pages, compiled: the SDK once, and every block at once."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from sdk.tools import SDK, node_tools, run
from tests.docs.blocks import Block

# Modules that are checked strictly. Node's own types are not installed.
_OPTIONS = "--strict --target es2022 --module nodenext --lib es2022,dom,dom.asynciterable".split()
_NODE_TYPES = "declare const process: { stdout: { write(text: string): void } };\n"


class Compiled:
    """Raises ToolError where there is no compiler, and for what it complains of."""

    def __init__(self, folder: Path, blocks: Iterable[Block]) -> None:
        tsc = str(node_tools() / "tsc")
        self._folder = folder
        package = folder / "node_modules" / "genspec-client"
        package.mkdir(parents=True)
        shutil.copy(SDK / "typescript/package.json", package)
        run([tsc, "-p", str(SDK / "typescript"), "--outDir", str(package / "dist")])
        (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
        (folder / "node.d.ts").write_text(_NODE_TYPES, encoding="utf-8")
        written = [block for block in blocks if block.language == "ts"]
        self._names = {block.place: f"block{i}" for i, block in enumerate(written)}
        for block in written:
            self._file(block, "ts").write_text(block.text, encoding="utf-8")
        sources = [f"{name}.ts" for name in self._names.values()]
        run([tsc, *_OPTIONS, "node.d.ts", *sources], folder)

    def script(self, block: Block) -> str:
        """The block as JavaScript."""
        return self._file(block, "js").read_text(encoding="utf-8")

    def link_into(self, folder: Path) -> None:
        """Let scripts there import the SDK."""
        link = folder / "node_modules"
        if not link.exists():
            link.symlink_to(self._folder / "node_modules")

    def _file(self, block: Block, suffix: str) -> Path:
        return self._folder / f"{self._names[block.place]}.{suffix}"
