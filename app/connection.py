"""What the layers of the application may do to the connection beneath them."""

import asyncio
import socket
import struct
from dataclasses import dataclass
from typing import Protocol

from starlette.types import Scope

_EXTENSION = "genspec.connection"  # of the scope
_NO_LINGER = struct.pack("ii", 1, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """Sizes in bytes and times in seconds; each time is for a whole part of the exchange."""

    max_connections: int
    max_told: int  # connections; those beyond max_connections are told that there are too many
    max_header_bytes: int
    header_timeout: float
    body_timeout: float
    write_timeout: float


class Connection(Protocol):
    """The connection that one request came on."""

    def hang_up(self) -> None:
        """End it after what was sent, without the end of the answer that is under way."""
        ...

    def abort(self) -> None:
        """End it at once; what the client has not taken yet is lost."""
        ...


def offer(scope: Scope, connection: Connection) -> None:
    """Let the application find the connection."""
    scope.setdefault("extensions", {})[_EXTENSION] = connection


def connection_of(scope: Scope) -> Connection | None:
    """None where another server than ours has received the request."""
    connection: Connection | None = scope["extensions"].get(_EXTENSION)
    return connection


def reset(transport: asyncio.Transport) -> None:
    """Close at once. Else the kernel would keep what was sent for a client that does not read.

    That of a transport which is closing already, too: it waits for the same client. It must not be
    closed, since its socket may be another connection's then.
    """
    connection = transport.get_extra_info("socket")
    if connection is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
    transport.abort()
