"""What a server must refuse, and with which error."""

from collections.abc import Iterator

from app.conform.check import Check, accepted, refused
from app.conform.subject import Subject
from app.conform.target import Request

_TEXT = {"text_input": "My name is"}
_SHORT = {**_TEXT, "max_new_tokens": 1}
_BAD_BODIES = {
    "no JSON": b"My name is",
    "nothing": b"",
    "a list": b"[]",
    "half an object": b'{"text_input":"a"',
    "two values": b'{"text_input":"a"}{}',
    "a name twice": b'{"text_input":"a","text_input":"b"}',
    "NaN": b'{"text_input":"a","parameters":{"temperature":NaN}}',
    "Infinity": b'{"text_input":"a","parameters":{"temperature":Infinity}}',
    "invalid UTF-8": b'{"text_input":"\xff"}',
    "half a surrogate pair": b'{"text_input":"\\ud800"}',
    "no text": b"{}",
    "an empty text": b'{"text_input":""}',
    "a number for the text": b'{"text_input":5}',
    "null for the text": b'{"text_input":null}',
    "two texts": b'{"text_input":["a","b"]}',
    "a list of parameters": b'{"text_input":"a","parameters":[]}',
    "a number for the id": b'{"text_input":"a","id":5}',
    "an empty id": b'{"text_input":"a","id":""}',
}
_READ_AS_JSON = ("", "application/json; charset=utf-8", "application/x-www-form-urlencoded")
_OTHER_TYPES = ("text/plain", "application/xml", "application/json; charset=latin-1")


def refusal_checks(subject: Subject) -> Iterator[Check]:
    generate = f"{subject.path}/generate"
    for name, body in _BAD_BODIES.items():
        yield refused(f"body: {name}", Request("POST", generate, body), 422)
    yield refused("stream: no text", Request("POST", f"{generate}_stream", {}), 422)
    yield refused(
        "prompt: too long", Request("POST", generate, {"text_input": "a b " * 99999}), 422
    )
    for media_type in _OTHER_TYPES:
        request = Request("POST", generate, _TEXT, {"Content-Type": media_type})
        yield refused(f"Content-Type: {media_type}", request, 415)
    gzip = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    yield refused("Content-Encoding: gzip", Request("POST", generate, _TEXT, gzip), 415)
    for media_type in _READ_AS_JSON:
        request = Request("POST", generate, _SHORT, {"Content-Type": media_type})
        yield accepted(f"Content-Type: {media_type or 'none'}", request)
    yield from _not_found(subject)
    yield refused("method: GET generate", Request("GET", generate), 405, "allow")
    yield refused("method: DELETE /v2", Request("DELETE", "/v2"), 405, "allow")
    stop = Request("POST", f"{subject.path}/stopInfer", {"id": "nothing-of-this-name-runs"})
    yield refused("stop: an id that is not running", stop, 404)


def _not_found(subject: Subject) -> Iterator[Check]:
    other = f"/v2/models/{subject.model}-not"
    yield refused("model: unknown", Request("POST", f"{other}/generate", _TEXT), 404)
    yield refused("model: unknown, bad body", Request("POST", f"{other}/generate", b"{"), 404)
    yield refused("model: unknown, metadata", Request("GET", other), 404)
    wrong = f"{subject.path}/versions/{subject.version}-not"
    yield refused("version: unknown", Request("POST", f"{wrong}/generate", _TEXT), 404)
    yield refused("version: unknown, ready", Request("GET", f"{wrong}/ready"), 404)
    yield refused("path: unknown", Request("GET", "/v2/nothing"), 404)
    slash = Request("POST", f"{subject.path}/generate/", _TEXT)
    yield refused("path: slash at its end", slash, 404)
