"""setuptools as this project's build backend, with a C++ compiler where the machine has none.

The decoder in C++ is built by the machine's compiler. Where none works, the build asks its front
end (pip, uv) for the package `ziglang`, which holds clang and a C++ library, for the time of the
build. `--config-settings fetch-compiler=no` leaves it out: then nothing is compiled there, and the
engine runs on torch alone.
"""

import importlib.util
import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.command.build_ext import build_ext

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

ZIGLANG = "ziglang==0.17.1"
OLDEST_GLIBC = "2.17"  # of the machines that a wheel so built runs on
PROBE = "#include <thread>\nvoid probe() { std::thread([] {}).join(); }\n"

Settings = dict[str, Any] | None


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    return [*build_meta.get_requires_for_build_wheel(config_settings), *_compiler(config_settings)]


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    return [
        *build_meta.get_requires_for_build_editable(config_settings),
        *_compiler(config_settings),
    ]


def _compiler(config_settings: Settings) -> list[str]:
    is_wanted = (config_settings or {}).get("fetch-compiler") != "no"
    return [ZIGLANG] if is_wanted and zig_target() and not has_compiler() else []


def has_compiler() -> bool:
    """Whether the C++ compiler that setuptools would call is there and works."""
    from distutils.ccompiler import new_compiler  # setuptools' own, once that is imported
    from distutils.errors import CCompilerError, DistutilsError
    from distutils.sysconfig import customize_compiler

    compiler = new_compiler()
    customize_compiler(compiler)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.cpp")
        source.write_text(PROBE, encoding="utf-8")
        library = source.with_suffix(".so")
        flags = ["-std=c++17", "-pthread"]
        try:
            objects = compiler.compile([str(source)], output_dir="/", extra_postargs=flags)
            compiler.link_shared_object(objects, str(library), target_lang="c++")
        except (CCompilerError, DistutilsError):
            return False
        return library.exists()


def zig_target() -> str | None:
    """What zig calls this machine, where the decoder was tried with it."""
    is_ours = sys.platform == "linux" and platform.libc_ver()[0] == "glibc"
    machine = platform.machine()
    if not is_ours or machine not in ("x86_64", "aarch64"):
        return None
    return f"{machine}-linux-gnu.{OLDEST_GLIBC}"


def zig_command() -> list[str] | None:
    """ziglang as a C++ compiler, where it is installed.

    For any processor of the architecture, as the decoder chooses among instruction sets when it
    is loaded; and without the checks that zig adds, which cost time and end the process.
    """
    target = zig_target()
    if target is None or importlib.util.find_spec("ziglang") is None:
        return None
    options = ["-target", target, "-mcpu=baseline", "-fno-sanitize=undefined"]
    return [sys.executable, "-m", "ziglang", "c++", *options, "-Wno-unknown-warning-option"]


class BuildExt(build_ext):
    """Compiles with the machine's compiler, or else with zig."""

    def build_extensions(self) -> None:
        command = None if has_compiler() else zig_command()
        if command:
            # It compiles its C++ library too, once: in a minute or two, which is kept for the next.
            for name in ("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"):
                os.environ.setdefault(name, str(Path("build", "zig").absolute()))
            self.compiler.set_executables(
                compiler_cxx=command,
                compiler_so_cxx=[*command, "-fPIC"],
                linker_exe_cxx=command,
                linker_so_cxx=[*command, "-shared", "-s"],
            )
        super().build_extensions()
