"""HTTP/1.1 as bytes on a socket: nothing stands between a test and what the server says."""

import json
import socket
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

PATIENCE = 30.0  # seconds that any one answer may take at most


@dataclass(frozen=True)
class Reply:
    """One answer. ``fields`` are its header lines in order, names in lower case."""

    status: int
    fields: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def headers(self) -> dict[str, str]:
        return dict(self.fields)

    def json(self) -> Any:
        return json.loads(self.body)


class Connection:
    """One TCP connection, whose answers are read one after the other."""

    def __init__(self, port: int, patience: float = PATIENCE) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=patience)
        self._file = self.socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def send(self, raw: bytes) -> None:
        self.socket.sendall(raw)

    def read(self, *, has_body: bool = True) -> Reply:
        """The next answer. Raises EOFError where the server has closed instead."""
        line = self._file.readline()
        if not line:
            raise EOFError
        fields = []
        while field := self._file.readline().strip():
            name, _, value = field.decode("latin-1").partition(":")
            fields.append((name.lower(), value.strip()))
        length = int(dict(fields).get("content-length", 0)) if has_body else 0
        body = self._file.read(length)
        assert len(body) == length, "the answer ends in the middle"
        return Reply(int(line.split()[1]), tuple(fields), body)

    def read_line(self) -> bytes:
        """One line without its end; empty where the server has closed."""
        return self._file.readline().rstrip(b"\r\n")

    def read_bytes(self, num_bytes: int) -> bytes:
        return self._file.read(num_bytes)

    def read_bytes_until(self, end: bytes) -> bytes:
        """Everything up to these bytes, which are left out."""
        read = b""
        while not read.endswith(end):
            byte = self._file.read(1)
            assert byte, "the server has closed"
            read += byte
        return read.removesuffix(end)

    def is_closed(self) -> bool:
        """Whether the server closes its side without another word."""
        return self._file.read(1) == b""

    def close(self) -> None:
        self._file.close()
        self.socket.close()


def head(start: str, *lines: str) -> bytes:
    """A request line and header lines, as bytes, up to and with the empty line."""
    return "\r\n".join((f"{start} HTTP/1.1", "Host: test", *lines, "", "")).encode("latin-1")


def post(path: str, body: bytes, *lines: str) -> bytes:
    """A request with a body of that length, as bytes."""
    return head(f"POST {path}", f"Content-Length: {len(body)}", *lines) + body


def get(path: str, *lines: str) -> bytes:
    return head(f"GET {path}", *lines)


def chunked(*parts: bytes) -> bytes:
    """A body in those chunks, complete."""
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (*parts, b""))
