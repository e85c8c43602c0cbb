"""API keys: a file of names and hashes, and the key that a request brings.

A key is 256 random bits, which nobody can guess one by one: a plain SHA-256 protects it as well as
a slow hash would, at no cost for each request.
"""

import hashlib
import hmac
import logging
import os
import secrets
import tempfile
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.setting_types import Count, Name
from app.settings import SettingsError

logger = logging.getLogger(__name__)

KEY_PREFIX = "gsk_"  # lets scanners of repositories tell what was committed by accident
KEY_BYTES = 32


class ApiKey(BaseModel):
    """One entry of the file. A limit that is not set is the server's."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Name
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    concurrency: Count | None = None
    requests_per_minute: Count | None = None


class KeyFile(BaseModel):
    """The whole file, in JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    keys: tuple[ApiKey, ...] = ()

    def with_key(self, key: ApiKey) -> "KeyFile":
        """Raises SettingsError where the name is taken."""
        if any(key.name == other.name for other in self.keys):
            raise SettingsError(f"keys: there is a key named {key.name} already")
        return KeyFile(keys=(*self.keys, key))

    def without(self, name: str) -> "KeyFile":
        """Raises SettingsError where there is no such key."""
        kept = tuple(key for key in self.keys if key.name != name)
        if len(kept) == len(self.keys):
            raise SettingsError(f"keys: there is no key named {name}")
        return KeyFile(keys=kept)


def make_key() -> str:
    """A new key, to be shown once."""
    return KEY_PREFIX + secrets.token_urlsafe(KEY_BYTES)


def hashed(key: bytes) -> str:
    return hashlib.sha256(key).hexdigest()


def read_keys(path: Path) -> KeyFile:
    """Raises SettingsError."""
    try:
        file = KeyFile.model_validate_json(path.read_bytes())
    except OSError as exc:
        raise SettingsError(f"api_keys_file: {path} cannot be read: {exc.strerror}") from None
    except ValidationError as exc:
        where = ".".join(map(str, exc.errors()[0]["loc"]))
        raise SettingsError(
            f"api_keys_file: {path} is no file of keys: {where or 'it'} is not valid"
        ) from None
    except ValueError:  # a NUL
        raise SettingsError(f"api_keys_file: {str(path)!r} is no name of a file") from None
    if len({key.name for key in file.keys}) < len(file.keys):
        raise SettingsError(f"api_keys_file: {path} has two keys of one name")
    return file


def write_keys(path: Path, file: KeyFile) -> None:
    """Whole or not at all, and for the owner's eyes only. Raises SettingsError."""
    text = file.model_dump_json(indent=2, exclude_none=True).encode() + b"\n"
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        with open(handle, "wb") as new:
            new.write(text)
        os.replace(temporary, path)
    except OSError as exc:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        raise SettingsError(f"api_keys_file: {path} cannot be written: {exc.strerror}") from None


class KeyRing:
    """The keys of a server, read again whenever their file has changed."""

    def __init__(self, path: Path) -> None:
        """Raises SettingsError where the file has no keys."""
        self._path = path
        self._stamp = self._stamped()
        self._keys = read_keys(path).keys
        if not self._keys:
            raise SettingsError(f"api_keys_file: {path} has no keys; run: genspec keys add NAME")

    def find(self, key: bytes) -> ApiKey | None:
        """In a time that does not tell which key it is like, or how like."""
        self._follow_file()
        digest, found = hashed(key), None
        for known in self._keys:
            if hmac.compare_digest(known.sha256, digest):
                found = known
        return found

    def _follow_file(self) -> None:
        stamp = self._stamped()
        if stamp == self._stamp:
            return
        self._stamp = stamp
        try:
            self._keys = read_keys(self._path).keys
        except SettingsError as exc:  # what was valid stays so until the file can be read again
            logger.error("the keys stay as they were: %s", exc)
        else:
            logger.info("read %d keys from %s", len(self._keys), self._path)

    def _stamped(self) -> tuple[int, int, int] | None:
        try:
            stat = self._path.stat()
        except (OSError, ValueError):  # the latter where the name has a NUL
            return None
        return stat.st_mtime_ns, stat.st_ino, stat.st_size
