"""What openapi-generator makes of the document, compiled where there is a compiler for it."""

import re
import shutil
from pathlib import Path

import pytest

from sdk.generate import generate
from sdk.openapi_generator import go, java
from sdk.tools import ToolError, python_tools, run
from tests.tiny_server import TinyServer

pytestmark = pytest.mark.clients

TRY = Path(__file__).parent / "Try.java"
TRY_GO = Path(__file__).parent / "try.go"
MAVEN = Path.home() / ".m2" / "repository"
# In Maven's local repository; the client needs these and the JDK.
JARS = (
    "com/fasterxml/jackson/core/jackson-core/2.17.2",
    "com/fasterxml/jackson/core/jackson-annotations/2.17.2",
    "com/fasterxml/jackson/core/jackson-databind/2.17.2",
    "com/fasterxml/jackson/datatype/jackson-datatype-jsr310/2.17.1",
    "com/google/code/findbugs/jsr305/3.0.2",
    "javax/annotation/javax.annotation-api/1.3.2",
    "jakarta/annotation/jakarta.annotation-api/2.1.1",
)


@pytest.fixture(autouse=True)
def _tools() -> None:
    try:
        python_tools()
    except ToolError as exc:
        pytest.skip(f"the generator is not to be had here: {exc}")
    if shutil.which("java") is None:
        pytest.skip("the generator needs Java")


def test_java_keeps_seeds_and_talks_to_the_server(tiny: TinyServer, tmp_path: Path) -> None:
    generate(java, tmp_path / "java")
    sources = [*map(str, (tmp_path / "java" / "src" / "main").rglob("*.java")), str(TRY)]
    parameters = next(source for source in sources if source.endswith("GenerateParameters.java"))
    assert "private BigInteger seed;" in Path(parameters).read_text(encoding="utf-8")
    jars = [str(path) for jar in JARS for path in (MAVEN / jar).glob("*.jar")]
    if len(jars) < len(JARS) or shutil.which("javac") is None:
        pytest.skip("no compiler, or not the jars that the client needs")

    classes = f"{tmp_path / 'classes'}:{':'.join(jars)}"
    options = ["-nowarn", "-encoding", "UTF-8", "-d", str(tmp_path / "classes"), "-cp", classes]
    run(["javac", *options, *sources])
    run(["java", "-Dfile.encoding=UTF-8", "-cp", classes, "Try", server_url(tiny)])


def server_url(tiny: TinyServer) -> str:
    return f"http://127.0.0.1:{tiny.live.port}"


def test_go_keeps_seeds_and_talks_to_the_server(
    tiny: TinyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate(go, tmp_path / "go")
    for model in ("generate_parameters", "event_details"):
        source = (tmp_path / "go" / f"model_{model}.go").read_text(encoding="utf-8")
        assert re.search(r"\bSeed \*uint64\b", source)
    if shutil.which("go") is None:
        pytest.skip("no compiler")

    (tmp_path / "go" / "try").mkdir()
    shutil.copy(TRY_GO, tmp_path / "go" / "try" / "main.go")
    # Nothing is fetched: the client needs the standard library alone.
    for name, value in {"GOPROXY": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod"}.items():
        monkeypatch.setenv(name, value)
    run(["go", "mod", "edit", "-go=1.19"], tmp_path / "go")  # it says a later one, and needs none
    run(["go", "vet", "."], tmp_path / "go")
    run(["go", "run", "./try", server_url(tiny)], tmp_path / "go")
