"""The settings of a command: its options, the environment and the file that one of them names."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.environment import warn_of_unknown
from app.settings import Settings, load_settings
from app.sources import Sources


def read_settings(options: dict[str, Any], *, logs: bool = False) -> Settings:
    """Of a command that ``logs``, the log is set up as they say. Raises SettingsError."""
    config_file = _config_file(options)
    options.pop("config", None)
    try:
        settings = load_settings(options, config_file)
        if logs:
            from app.telemetry.logs import log_to_stderr

            log_to_stderr(settings.log_level, settings.log_format)
    finally:  # a misspelt name may be why they are refused
        warn_of_unknown(os.environ)
    return settings


def sources(options: Mapping[str, Any]) -> Sources:
    """Where ``read_settings`` looks."""
    return Sources(options, os.environ, _config_file(options))


def _config_file(options: Mapping[str, Any]) -> Path | None:
    config = options.get("config") or os.environ.get("GENSPEC_CONFIG")
    return Path(config) if config else None
