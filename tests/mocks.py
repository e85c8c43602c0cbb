"""The mock as tests want it: at once, unless they say otherwise."""

from typing import Any

from app.deployment import mock_config
from app.pace import Pace
from app.settings import Settings
from engine import MockEngine

INSTANT = {"load_seconds": 0.0, "prompt_tokens_per_second": 1e9, "tokens_per_second": 1e9}


def mock(pace: dict[str, float] | None = None, **settings: Any) -> MockEngine:
    return MockEngine(mock_config(Settings(**settings), Pace(**{**INSTANT, **(pace or {})})))
