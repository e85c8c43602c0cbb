"""JSON as RFC 8259 and I-JSON have it: what Python's own reader lets through is refused."""

import json
import math
import re
from collections import Counter
from typing import Any, NoReturn

MAX_DEPTH = 32
MAX_VALUES = 2**18  # a small body can hold millions of values, each of which takes memory
MAX_INTEGER_DIGITS = 308  # the next digit may not fit a float, which JSON numbers are elsewhere
MAX_SHOWN_CHARACTERS = 32

_TOO_DEEP = "the body is nested too deeply"
_STRING = re.compile(rb'"[^"]*"?')
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")


class StrictJSONError(ValueError):
    """The bytes are not a JSON text; the message says why and is fit for the client."""


def parse_strict_json(raw: bytes) -> object:
    """Parse one JSON text. Raises StrictJSONError.

    Refused beside broken syntax: an empty body, a byte order mark, anything but UTF-8, NaN and
    infinities (also spelled 1e999), integers past the range of a float, duplicate names, lone
    surrogates, more than MAX_DEPTH levels, and more than MAX_VALUES values.
    """
    text = _decoded(raw)
    if _num_values(raw) > MAX_VALUES and _has_too_many_values(raw):
        raise StrictJSONError("the body has too many values")
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise StrictJSONError(f"{error.msg.removesuffix(' at')} ({where})") from None
    except RecursionError:
        raise StrictJSONError(_TOO_DEEP) from None
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH:
        _check_depth(value)
    if _SURROGATE_ESCAPE.search(raw):
        _check_surrogates(value)
    return value


def _decoded(raw: bytes) -> str:
    if not raw:
        raise StrictJSONError("the body is required")
    if raw.startswith(b"\xef\xbb\xbf"):
        raise StrictJSONError("the body starts with a byte order mark")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise StrictJSONError(f"the body is not UTF-8 (byte {error.start})") from None


def _num_values(raw: bytes) -> int:
    """An upper bound of the values in a JSON text, exact but for what strings hold."""
    return raw.count(b",") + raw.count(b"[") + raw.count(b"{")


def _has_too_many_values(raw: bytes) -> bool:
    """The same count without what strings hold: a long text may have many commas."""
    without_escapes = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    num_strings = without_escapes.count(b'"') // 2
    return num_strings > MAX_VALUES or _num_values(_STRING.sub(b"", without_escapes)) > MAX_VALUES


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        [(name, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise StrictJSONError(f"duplicate name {shown(name)}")
    return members


def _integer(digits: str) -> int:
    if len(digits) > MAX_INTEGER_DIGITS:
        raise StrictJSONError("a number is too large")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise StrictJSONError("a number is too large")
    return value


def _constant(name: str) -> NoReturn:
    raise StrictJSONError(f"{name} is not JSON")


def shown(name: str) -> str:
    """A name from the client, safe and short enough for a message or a log line."""
    cut = name if len(name) <= MAX_SHOWN_CHARACTERS else name[:MAX_SHOWN_CHARACTERS] + "..."
    return ascii(cut)


def _check_depth(value: object) -> None:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [child for node in level for child in _children(node)]
    if any(isinstance(node, dict | list) for node in level):
        raise StrictJSONError(_TOO_DEEP)


def _check_surrogates(value: object) -> None:
    nodes = [value]
    while nodes:
        node = nodes.pop()
        strings = list(node) if isinstance(node, dict) else [node]
        for text in strings:
            if isinstance(text, str) and not _is_encodable(text):
                raise StrictJSONError("a string has a lone surrogate")
        nodes.extend(_children(node))


def _children(node: object) -> list[Any]:
    if isinstance(node, dict):
        return list(node.values())
    return node if isinstance(node, list) else []


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_integer,
    parse_float=_float,
    parse_constant=_constant,
)
