"""Files of API keys for tests."""

from pathlib import Path

from app.api_keys import ApiKey, KeyFile, hashed, write_keys


def add_key(path: Path, name: str, key: str, **limits: int) -> str:
    """Write the file anew with one more key; returns the header line that sends it."""
    file = KeyFile.model_validate_json(path.read_bytes()) if path.exists() else KeyFile()
    write_keys(path, file.with_key(ApiKey(name=name, sha256=hashed(key.encode()), **limits)))
    return f"Authorization: Bearer {key}\r\n"
