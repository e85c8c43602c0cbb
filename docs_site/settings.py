"""The table of settings, from the settings themselves."""

from typing import Any

from app.setting_options import GROUPS, LAST_GROUP
from app.settings import Settings
from docs_site.schemas import table


def settings() -> str:
    """Every setting with its default, in the groups that the command line's help has."""
    named = {name for names in GROUPS.values() for name in names}
    rest = tuple(name for name in Settings.model_fields if name not in named)
    parts = []
    for title, names in {**GROUPS, LAST_GROUP: rest}.items():
        rows = [(f"`{name}`", _default(name), _meaning(name)) for name in names]
        parts.append(f"### {title.capitalize()}\n\n" + table(("setting", "default", ""), rows))
    return "\n".join(parts)


def _default(name: str) -> str:
    value: Any = Settings.model_fields[name].default
    if value in (None, ()):
        return "not set"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _meaning(name: str) -> str:
    return str(Settings.model_fields[name].description)
