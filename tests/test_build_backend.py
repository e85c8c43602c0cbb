"""Which compiler builds the native decoder, told by compilers that only write down their calls."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from setuptools import Distribution, Extension, build_meta

import build_backend
from build_backend import BuildExt, get_requires_for_build_editable, get_requires_for_build_wheel

HOOKS = pytest.mark.parametrize(
    "hook", [get_requires_for_build_wheel, get_requires_for_build_editable]
)
Hook = Callable[[dict[str, str] | None], list[str]]

# Makes what it is asked for, out of nothing, and logs that it was called.
WORKING = """#!{python}
import pathlib, sys
pathlib.Path("{log}").open("a").write("{name}\\n")
pathlib.Path(sys.argv[sys.argv.index("-o") + 1]).touch()
"""
BROKEN = "#!/bin/sh\nexit 1\n"
IDLE = "#!/bin/sh\nexit 0\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("LDCXXSHARED", "CXXFLAGS", "CFLAGS", "LDFLAGS", "CPPFLAGS"):
        monkeypatch.delenv(name, raising=False)
    for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    for hook in ("get_requires_for_build_wheel", "get_requires_for_build_editable"):
        monkeypatch.setattr(build_meta, hook, lambda settings: ["setuptools' own"])
    monkeypatch.setattr(build_backend, "zig_target", lambda: "x86_64-linux-gnu")
    return tmp_path


def program(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text.format(python=sys.executable, log=folder / "log", name=name))
    path.chmod(0o755)
    return str(path)


def build(folder: Path) -> list[str]:
    """Build an optional extension; return the compilers that were called."""
    (folder / "log").write_text("")
    (folder / "empty.cpp").touch()
    extension = Extension("empty", ["empty.cpp"], language="c++", optional=True)
    command = BuildExt(Distribution({"name": "empty", "ext_modules": [extension]}))
    command.build_lib, command.build_temp = str(folder / "lib"), str(folder / "temp")
    command.ensure_finalized()
    command.run()
    return (folder / "log").read_text().split()


def built(folder: Path) -> bool:
    return bool(list(folder.glob("lib/empty*.so")))


@HOOKS
@pytest.mark.parametrize("text", [None, BROKEN, IDLE])
def test_zig_is_fetched_where_no_compiler_works(
    hook: Hook, text: str | None, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CXX", program(folder, "c++", text) if text else str(folder / "missing"))

    assert hook(None) == ["setuptools' own", build_backend.ZIGLANG]
    assert hook({"fetch-compiler": "no"}) == ["setuptools' own"]


@HOOKS
def test_nothing_is_fetched_where_a_compiler_works(
    hook: Hook, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CXX", program(folder, "c++", WORKING))

    assert hook(None) == ["setuptools' own"]


@HOOKS
def test_nothing_is_fetched_for_a_machine_that_zig_was_not_tried_for(
    hook: Hook, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CXX", str(folder / "missing"))
    monkeypatch.setattr(build_backend, "zig_target", lambda: None)

    assert hook(None) == ["setuptools' own"]


def test_the_machines_compiler_is_preferred(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zig = program(folder, "zig", WORKING)
    monkeypatch.setenv("CXX", program(folder, "c++", WORKING))
    monkeypatch.setattr(build_backend, "zig_command", lambda: [zig])

    assert set(build(folder)) == {"c++"}
    assert built(folder)


def test_zig_compiles_and_links_where_there_is_no_compiler(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zig = program(folder, "zig", WORKING)
    monkeypatch.setenv("CXX", str(folder / "missing"))
    monkeypatch.setattr(build_backend, "zig_command", lambda: [zig])

    assert build(folder) == ["zig", "zig"]
    assert built(folder)


@pytest.mark.parametrize("has_zig", [False, True])
def test_the_build_goes_on_where_nothing_compiles(
    has_zig: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zig = [program(folder, "zig", BROKEN)]
    monkeypatch.setenv("CXX", str(folder / "missing"))
    monkeypatch.setattr(build_backend, "zig_command", lambda: zig if has_zig else None)

    assert build(folder) == []
    assert not built(folder)
