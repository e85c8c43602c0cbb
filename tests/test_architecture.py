"""Rules about the source itself: who may import whom, and what only the document may say."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import pytest

import engine
from app.document import load_document
from tests.documents import mappings, request_fields

ROOT = Path(__file__).parents[1]
SOURCES = {
    package: sorted((ROOT / package).rglob("*.py")) for package in ("app", "handlers", "engine")
}
TREES = {
    path: ast.parse(path.read_text(encoding="utf-8"))
    for paths in SOURCES.values()
    for path in paths
}
EVERY_FILE = pytest.mark.parametrize(
    "path", TREES, ids=[str(path.relative_to(ROOT)) for path in TREES]
)
# What handlers and app may use of the engine's packages; everything else in there is its own.
PUBLIC_MODULES = {"app": {"engine", "engine.hub"}, "handlers": {"engine"}}
HTTP_LIBRARIES = {
    *("connexion", "starlette", "uvicorn", "httptools", "h11", "fastapi", "flask", "aiohttp"),
    *("httpx", "requests", "urllib3", "http", "socketserver", "wsgiref", "anyio", "websockets"),
}
FORBIDDEN = {
    "engine": {"app", "handlers", "openapi", "tests"} | HTTP_LIBRARIES,
    "handlers": {"app", "openapi", "tests", "torch", "transformers", "uvicorn", "pydantic"},
    "app": {"tests", "torch", "transformers", "safetensors", "gguf"},
}
MAX_FILE_LINES, MAX_FUNCTION_LINES = 200, 45

DOCUMENT = load_document()
FIELDS = {name.rpartition(".")[2]: schema for name, schema in request_fields(DOCUMENT)}
BOUND_KEYS = ("minimum", "maximum", "maxLength", "maxItems", "maxProperties", "default")
INT32_MAX = 2**31 - 1  # the bound of a type, which more than one thing in the world has
SMALLEST_UNUSUAL = 2000


def imported_modules(tree: ast.AST) -> Iterator[tuple[str, list[str]]]:
    """Each imported module, with the names that are taken from it, wherever the import stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the whole path"
            yield node.module or "", [alias.name for alias in node.names]


@pytest.mark.parametrize("package", SOURCES)
def test_a_package_imports_only_what_lies_beneath_it(package: str) -> None:
    for path in SOURCES[package]:
        for module, _ in imported_modules(TREES[path]):
            assert module.partition(".")[0] not in FORBIDDEN[package], (path.name, module)


@pytest.mark.parametrize("package", PUBLIC_MODULES)
def test_only_public_names_of_the_engine_are_used_outside_of_it(package: str) -> None:
    for path in SOURCES[package]:
        for module, names in imported_modules(TREES[path]):
            if module.partition(".")[0] == "engine":
                assert module in PUBLIC_MODULES[package], (path.name, module)
            if module == "engine":
                assert set(names) <= set(engine.__all__), (path.name, names)


def test_handlers_meet_no_engine_but_the_protocol() -> None:
    for path in SOURCES["handlers"]:
        for module, names in imported_modules(TREES[path]):
            assert not (
                module == "engine" and {"LocalEngine", "RayEngine", "EngineConfig"} & set(names)
            ), path


@pytest.mark.parametrize("module", ["engine", "engine.hub", "handlers", "app.cli", "app.server"])
def test_importing_loads_no_model_library(module: str) -> None:
    code = f"import {module}, sys; print(*{{'torch', 'transformers', 'ray'}} & sys.modules.keys())"

    shown = subprocess.check_output(
        [sys.executable, "-W", "ignore", "-c", code], cwd=ROOT, text=True
    )

    assert shown.strip() == ""


def numbers_in(node: ast.AST) -> Iterator[int | float]:
    """The numbers in a source, written out or as whole expressions like ``2**31 - 1``."""
    if _is_arithmetic(node):
        value = eval(compile(ast.Expression(node), "", "eval"), {"__builtins__": {}})
        if isinstance(value, int | float):
            yield value
        return
    for child in ast.iter_child_nodes(node):
        yield from numbers_in(child)


def _is_arithmetic(node: ast.AST) -> TypeGuard[ast.expr]:
    match node:
        case ast.Constant(value):
            return type(value) in (int, float)
        case ast.UnaryOp(ast.USub(), operand):
            return _is_arithmetic(operand)
        case ast.BinOp(left, _, right):
            return _is_arithmetic(left) and _is_arithmetic(right)
    return False


def unusual_bounds() -> set[int | float]:
    values = {node[key] for node in mappings(DOCUMENT) for key in BOUND_KEYS if _has(node, key)}
    return {value for value in values if value >= SMALLEST_UNUSUAL} - {INT32_MAX}


def _has(node: dict[str, object], key: str) -> bool:
    return type(node.get(key)) in (int, float)


def test_the_document_has_bounds_that_nothing_else_would_have() -> None:
    assert {524288, 2**64 - 1, 3600} <= unusual_bounds()
    assert list(numbers_in(ast.parse("[2**64 - 1, -5]"))) == [2**64 - 1, -5]


@EVERY_FILE
def test_no_bound_of_the_document_is_written_in_python(path: Path) -> None:
    assert not unusual_bounds() & set(numbers_in(TREES[path]))


@EVERY_FILE
def test_no_field_of_a_request_has_a_default_in_python(path: Path) -> None:
    for node in ast.walk(TREES[path]):
        for name, line in names_with_default(node):
            assert name not in FIELDS, f"line {line}: {name} has a default"


def names_with_default(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Fields of a class and arguments of a function that may be left out."""
    if isinstance(node, ast.ClassDef):
        for part in node.body:
            if isinstance(part, ast.AnnAssign) and part.value and isinstance(part.target, ast.Name):
                yield part.target.id, part.lineno
    elif isinstance(node, ast.arguments):
        positional = [*node.posonlyargs, *node.args]
        keywords = zip(node.kwonlyargs, node.kw_defaults, strict=True)
        given = positional[len(positional) - len(node.defaults) :]
        for argument in [*given, *(argument for argument, default in keywords if default)]:
            yield argument.arg, argument.lineno


@pytest.mark.parametrize("path", [*SOURCES["handlers"], *SOURCES["engine"]], ids=lambda p: p.name)
def test_a_field_that_the_document_fills_is_indexed_and_no_other_has_a_fallback(path: Path) -> None:
    for node in ast.walk(TREES[path]):
        match node:
            case ast.Call(ast.Attribute(_, "get"), [ast.Constant(str(name)), *fallback]):
                if name in FIELDS:
                    assert not any(map(_is_literal, fallback)), f"line {node.lineno}: {name}"
                    assert "default" not in FIELDS[name], f"line {node.lineno}: {name} is there"


def _is_literal(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant | ast.Dict | ast.List | ast.Tuple | ast.UnaryOp)


@EVERY_FILE
def test_files_and_functions_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_FILE_LINES
    for node in ast.walk(TREES[path]):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            num_lines = (node.end_lineno or 0) - node.lineno + 1
            assert num_lines <= MAX_FUNCTION_LINES, f"{node.name}: {num_lines} lines"
