"""The generators, installed once into the build folder, of the versions in ``tools.toml``."""

import tomllib
from pathlib import Path

from sdk.environments import ToolError, node_with, python_with, run

__all__ = ["SDK", "ToolError", "node_tools", "python_tools", "run", "tool_version"]

SDK = Path(__file__).parent
_HOME = SDK.parent / "build" / "sdk"
_VERSIONS: dict[str, dict[str, str]] = tomllib.loads((SDK / "tools.toml").read_text("utf-8"))


def tool_version(registry: str, name: str) -> str:
    return _VERSIONS[registry][name]


def python_tools() -> Path:
    """The folder of the programs from PyPI."""
    wanted = [f"{name}=={version}" for name, version in _VERSIONS["python"].items()]
    return python_with(_HOME / "python", wanted)


def node_tools() -> Path:
    """The folder of the programs from npm."""
    wanted = [f"{name}@{version}" for name, version in _VERSIONS["node"].items()]
    return node_with(_HOME / "node", wanted)
