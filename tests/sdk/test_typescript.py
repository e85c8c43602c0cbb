"""The TypeScript SDK, compiled and driven by a script against real servers."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from sdk.tools import SDK, ToolError, node_tools, run, tool_version
from tests.sdk.refusals import KEY, failing_later, refusing_servers
from tests.tiny_server import TinyServer

pytestmark = pytest.mark.clients

SCRIPT = Path(__file__).parent / "try_typescript.mjs"
PARTS = ("seed", "stream", "Chinese and emoji", "cancel", "errors")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        tools = node_tools()
    except ToolError as exc:
        pytest.skip(f"the compiler is not to be had here: {exc}")
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    run([str(tools / "tsc"), "-p", str(SDK / "typescript"), "--outDir", str(folder)])
    return folder


def test_the_folder_is_compiled_where_it_is_installed(compiled: Path, tmp_path: Path) -> None:
    wanted = json.loads((SDK / "typescript" / "package.json").read_text(encoding="utf-8"))
    assert wanted["devDependencies"] == {"typescript": tool_version("node", "typescript")}
    shutil.copytree(SDK / "typescript", tmp_path / "sdk", ignore=shutil.ignore_patterns("dist"))
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    run(["npm", "install", "--no-audit", "--no-fund", "./sdk"], tmp_path)

    run(["node", "-e", "import('genspec-client').then((it) => it.generate.call)"], tmp_path)


def test_the_compiled_sdk_keeps_its_promises(
    compiled: Path, tiny: TinyServer, tmp_path: Path
) -> None:
    with refusing_servers(tmp_path) as refusing, failing_later() as later:
        url = f"http://127.0.0.1:{tiny.live.port}"
        words = json.dumps({"url": url, "refusing": refusing, "later": later, "key": KEY})
        done = subprocess.run(
            ["node", str(SCRIPT), str(compiled), words],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == [f"ok   {part}" for part in PARTS]
