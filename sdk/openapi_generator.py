"""Java and Go by openapi-generator: not committed, but made, compiled and run by a test."""

import json
from pathlib import Path

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
_GO = ["--type-mappings=integer+uint64=uint64", "--additional-properties=enumClassPrefix=true"]


def java(document: Path, folder: Path) -> None:
    """A client of the JDK's own HTTP client and Jackson."""
    read = json.loads(document.read_text(encoding="utf-8"))
    for name in ("stop", "bad_words"):  # the default of a union becomes no Java either
        del read["components"]["schemas"]["GenerateParameters"]["properties"][name]["default"]
    document.write_text(json.dumps(read), encoding="utf-8")
    _generate("java", document, folder, _JAVA)


def go(document: Path, folder: Path) -> None:
    _generate("go", document, folder, _GO)


def _generate(language: str, document: Path, folder: Path, words: list[str]) -> None:
    program = str(python_tools() / "openapi-generator-cli")
    command = [program, "generate", "-g", language, "-i", str(document), "-o", str(folder)]
    run([*command, *words], folder.parent)
