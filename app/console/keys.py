"""``genspec keys``: the file of API keys, from the command line."""

from pathlib import Path
from typing import Any

from app.api_keys import ApiKey, KeyFile, hashed, make_key, read_keys, write_keys
from app.settings import Settings, SettingsError


def change_keys(settings: Settings, action: str, name: str | None, limits: dict[str, Any]) -> None:
    """Add, remove or list. Raises SettingsError."""
    path = settings.api_keys_file
    if path is None:
        raise SettingsError("api_keys_file: is not set; name the file with --api-keys-file FILE")
    file = read_keys(path) if path.exists() else KeyFile()
    if action == "list":
        _print(file)
    elif name is None:
        raise SettingsError(f"keys: {action} needs a NAME")
    elif action == "remove":
        write_keys(path, file.without(name))
    else:
        _add(path, file, name, limits)


def _add(path: Path, file: KeyFile, name: str, limits: dict[str, Any]) -> None:
    key = make_key()
    try:
        entry = ApiKey(name=name, sha256=hashed(key.encode()), **limits)
    except ValueError:
        raise SettingsError(
            "keys: NAME may have letters, digits, dots, dashes and underscores, and limits are"
            " whole numbers above 0"
        ) from None
    write_keys(path, file.with_key(entry))
    print(key)


def _print(file: KeyFile) -> None:
    for key in file.keys:
        limits = key.model_dump(include={"concurrency", "requests_per_minute"}, exclude_none=True)
        print(" ".join([key.name, *(f"{name}={value}" for name, value in limits.items())]))
