"""The id of a request: the client's own where it is sane, else one of ours."""

import re
from collections.abc import Iterable
from uuid import uuid4

HEADER = b"x-request-id"
SCOPE_KEY = "genspec.request_id"
_SANE = re.compile(rb"[A-Za-z0-9._~:/+=@-]{1,128}")


def request_id(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """The one ``X-Request-Id`` sent, if it is short and plain; a new one otherwise."""
    sent = [value for name, value in headers if name == HEADER]
    if len(sent) == 1 and _SANE.fullmatch(sent[0]):
        return sent[0]
    return uuid4().hex.encode()
