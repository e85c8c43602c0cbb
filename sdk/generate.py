"""``python -m sdk.generate``: writes anew what the document gives of each committed SDK."""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from sdk.document import sdk_document
from sdk.tools import SDK, ToolError, node_tools, python_tools, run

Generator = Callable[[Path, Path], None]


def python(document: Path, folder: Path) -> None:
    """A package of httpx and attrs, formatted by the generator's own hooks."""
    tools = python_tools()
    command = [str(tools / "openapi-python-client"), "generate", "--meta", "none", "--overwrite"]
    words = ["--fail-on-warning", "--path", str(document), "--output-path", str(folder)]
    run([*command, *words], folder.parent, tools)


def typescript(document: Path, folder: Path) -> None:
    """Sources that use fetch and nothing else."""
    output = {"path": str(folder), "importFileExtension": ".js", "header": []}
    plugins = ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"]
    settings = {"input": str(document), "output": output, "plugins": plugins}
    file = folder.parent / "settings.mjs"
    file.write_text(f"export default {json.dumps(settings)}", encoding="utf-8")
    run([str(node_tools() / "openapi-ts"), "-f", str(file), "--no-log-file"], folder.parent)


# Where the generated files of each lie, beside those written by hand.
COMMITTED: dict[str, tuple[Generator, Path, frozenset[str]]] = {
    "python": (
        python,
        SDK / "python" / "genspec_client",
        frozenset({"events.py", "py.typed", "__pycache__"}),
    ),
    "typescript": (typescript, SDK / "typescript" / "src", frozenset({"events.ts"})),
}


def generate(generator: Generator, folder: Path, typed_events: bool = False) -> None:
    """Run a generator in a temporary folder, out of reach of any project's settings."""
    with tempfile.TemporaryDirectory() as temporary:
        document = Path(temporary) / "genspec.json"
        document.write_text(json.dumps(sdk_document(typed_events)), encoding="utf-8")
        generator(document, Path(temporary) / "out")
        shutil.rmtree(Path(temporary) / "out" / ".ruff_cache", ignore_errors=True)
        shutil.copytree(Path(temporary) / "out", folder, dirs_exist_ok=True)


def files(folder: Path, by_hand: frozenset[str]) -> dict[str, bytes]:
    """The generated files of a folder, by name."""
    paths = (path for path in folder.rglob("*") if path.is_file())
    names = {path.relative_to(folder): path for path in paths}
    return {str(name): it.read_bytes() for name, it in names.items() if not by_hand & {*name.parts}}


def main(languages: Sequence[str]) -> int:
    for language in languages or COMMITTED:
        generator, folder, by_hand = COMMITTED[language]
        for name in files(folder, by_hand):
            (folder / name).unlink()
        try:
            generate(generator, folder, typed_events=language == "typescript")
        except ToolError as exc:
            print(exc, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
