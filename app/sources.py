"""Where a setting that is refused came from."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.environment import is_service_address, variable
from app.setting_options import ALIASES
from app.settings import Settings

_KUBERNETES = (
    "Kubernetes sets it for a Service of that name: give the pod `enableServiceLinks: false`, the"
    " Service another name, or the setting as an option, which wins"
)


class Sources:
    """The same three as those of ``load_settings``, in the same order."""

    def __init__(
        self, options: Mapping[str, Any], environ: Mapping[str, str], config_file: Path | None
    ) -> None:
        self._options = dict(options)
        self._environ = {name.upper(): value for name, value in environ.items()}
        self._config_file = config_file

    def explain(self, message: str) -> str:
        """The message, which begins with the name of a setting, with where that came from."""
        name, colon, problem = message.partition(": ")
        source = self._of(name)
        if not colon or source is None:
            return message
        text = f"{name} ({source}): {problem}"
        # Names of one word may be just words.
        for other in sorted(set(re.findall(r"[a-z]+_[a-z_]+", problem)) - {name}):
            if other in Settings.model_fields and (its := self._of(other)) is not None:
                text += f"; {other} is {its}"
        if source == f"from {variable(name)}" and is_service_address(self._environ[variable(name)]):
            text += f"; {_KUBERNETES}"
        return text

    def _of(self, name: str) -> str | None:
        field = Settings.model_fields.get(name)
        if field is not None or name == "config":
            if self._options.get(name) is not None:
                return f"from {ALIASES.get(name, ('--' + name.replace('_', '-'),))[0]}"
            if variable(name) in self._environ:
                return f"from {variable(name)}"
        if name in self._filed():
            return f"from {self._config_file}"
        return None if field is None or field.default is None else f"{field.default} by default"

    def _filed(self) -> Mapping[str, Any]:
        if self._config_file is None:
            return {}
        try:
            return tomllib.loads(self._config_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # which is told by whoever reads the settings
            return {}
