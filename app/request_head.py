"""What RFC 9112 asks of the head of a request beyond what the parser sees to."""

import re
from collections.abc import MutableSequence

from app.errors import HttpError

NOT_HTTP = "the request is not HTTP"
NO_HOST = "Host: a request of HTTP/1.1 needs this header"
MANY_HOSTS = "Host: must be given once"
BAD_HOST = "Host: must be the name or the address of a host, and a port if it has one"
BAD_TARGET = "the target must be a path, or an address that begins with http:// or https://"
OLDER_CODING = "Transfer-Encoding: a request of HTTP/1.0 cannot have one"

_VERSIONS = ("0.9", "1.0", "1.1")
# RFC 3986: a name or an IPv4 address, or an address in brackets; those of links have a zone.
_AUTHORITY = re.compile(
    rb"(?:(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*|\[[A-Za-z0-9._~:%-]+\])(?::[0-9]*)?"
)
_ABSOLUTE = re.compile(rb"https?://([^/?#:][^/?#]*)(.*)", re.IGNORECASE)

Headers = MutableSequence[tuple[bytes, bytes]]


def checked_target(version: str, target: bytes, headers: Headers) -> bytes:
    """The path and query that are asked for, or ``*``. Raises HttpError (400).

    Names in ``headers`` are in lower case. The host of a whole address takes the place of what
    they say, as RFC 9112 (3.2.2) wants it.
    """
    if version not in _VERSIONS:
        raise HttpError(400, NOT_HTTP)
    if version != "1.1" and any(name == b"transfer-encoding" for name, _ in headers):
        raise HttpError(400, OLDER_CODING)
    _check_host(version, headers)
    if target.startswith(b"/") or target == b"*":
        return target
    address = _ABSOLUTE.fullmatch(target)
    if address is None or not _AUTHORITY.fullmatch(address[1]):
        raise HttpError(400, BAD_TARGET)
    others = [header for header in headers if header[0] != b"host"]
    headers[:] = [(b"host", address[1]), *others]
    return address[2] if address[2].startswith(b"/") else b"/" + address[2]


def _check_host(version: str, headers: Headers) -> None:
    hosts = [value for name, value in headers if name == b"host"]
    if not hosts and version == "1.1":
        raise HttpError(400, NO_HOST)
    if len(hosts) > 1:
        raise HttpError(400, MANY_HOSTS)
    if hosts and not _AUTHORITY.fullmatch(hosts[0].strip(b" \t")):
        raise HttpError(400, BAD_HOST)
