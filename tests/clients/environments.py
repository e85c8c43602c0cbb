"""Environments of clients that are too heavy for ours: made once, kept in the build folder."""

from pathlib import Path

import pytest

from sdk import environments

SCRIPTS = Path(__file__).parent
_HOME = SCRIPTS.parents[1] / "build" / "clients"


def python_with(name: str, *requirements: str) -> str:
    """A Python that has these packages; skips the test where they cannot be installed."""
    try:
        return str(environments.python_with(_HOME / name, requirements) / "python")
    except environments.ToolError as exc:
        pytest.skip(f"cannot be installed here: {exc}")


def node_with(name: str, *requirements: str) -> Path:
    """A folder whose scripts can import these packages; skips where they cannot be installed."""
    try:
        environments.node_with(_HOME / name, requirements)
    except environments.ToolError as exc:
        pytest.skip(f"cannot be installed here: {exc}")
    return _HOME / name
