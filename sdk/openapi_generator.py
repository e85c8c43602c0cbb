"""Java and Go by openapi-generator: not committed, but made, compiled and run by a test."""

import json
from collections.abc import Callable
from pathlib import Path

from app.document import Document, mappings
from sdk.tools import python_tools, run

# Unions that hold lists, of which this generator writes Java that is none.
_UNIONS = (
    *("GenerateRequest_text_input", "StopStrings", "BadWords", "TokenTensor_data"),
    *("TextTensor_data", "InferOutput_data"),
)
# Seeds are unsigned numbers of 64 bits.
_JAVA = [
    "--library=native",
    "--type-mappings=integer+uint64=BigInteger",
    "--import-mappings=BigInteger=java.math.BigInteger,Object=java.lang.Object",
    "--additional-properties=openApiNullable=false,hideGenerationTimestamp=true",
    f"--schema-mappings={','.join(f'{name}=Object' for name in _UNIONS)}",
]
# The lookup is one without a validator, which would have to come from elsewhere.
_GO = [
    "--git-host=genspec.example",
    "--git-user-id=genspec",
    "--git-repo-id=client",
    "--type-mappings=integer+uint64=uint64",
    "--additional-properties=enumClassPrefix=true,useOneOfDiscriminatorLookup=true",
]


def java(document: Path, folder: Path) -> None:
    """A client of the JDK's own HTTP client and Jackson."""
    _rewrite(document, _without_defaults_of_unions)
    _generate("java", document, folder, _JAVA)


def go(document: Path, folder: Path) -> None:
    """A client of the standard library alone."""
    _rewrite(document, _without_defaults_of_unions, _without_null_seeds)
    _generate("go", document, folder, _GO)


def _rewrite(document: Path, *changes: Callable[[Document], None]) -> None:
    read = json.loads(document.read_text(encoding="utf-8"))
    for change in changes:
        change(read)
    document.write_text(json.dumps(read), encoding="utf-8")


def _without_defaults_of_unions(document: Document) -> None:
    """They become no Java, and no Go either."""
    for name in ("stop", "bad_words"):
        del document["components"]["schemas"]["GenerateParameters"]["properties"][name]["default"]


def _without_null_seeds(document: Document) -> None:
    """The generator knows no nullable uint64; a seed can still be left out."""
    for node in mappings(document):
        if node.get("format") == "uint64":
            node.pop("nullable", None)


def _generate(language: str, document: Path, folder: Path, words: list[str]) -> None:
    program = str(python_tools() / "openapi-generator-cli")
    command = [program, "generate", "-g", language, "-i", str(document), "-o", str(folder)]
    run([*command, *words], folder.parent)
