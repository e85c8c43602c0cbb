"""Headers that say what the body is, and where the request comes from."""

import gzip

from tests.contract.cases.case import GENERATE, INFER, Case
from tests.wire import chunked, head, post

BODY = b'{"text_input":"a","max_tokens":1}'
TENSOR = (
    b'{"inputs":[{"name":"input0","shape":[1],"datatype":"UINT32","data":[1]}],'
    b'"parameters":{"max_new_tokens":1}}'
)
JSON = "Content-Type: application/json"
OCTETS = "Content-Type: application/octet-stream"
NOT_JSON = "Content-Type: must be application/json"
NOT_UTF8 = "Content-Type: charset must be utf-8"
TWO = "Content-Type: only one may be given"
NOT_CHUNKED = "Transfer-Encoding: only chunked is supported"
ENCODED = "Content-Encoding: only identity is supported"
FOREIGN = "requests from pages of this origin are not allowed"

READ_AS_JSON = (
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "application/json; charset=utf8",
    'application/json; charset="utf-8"',
    "application/json ; charset=utf-8",
    "application/json; profile=a/b",
    "application/json;",
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=UTF-8",
    "APPLICATION/X-WWW-FORM-URLENCODED",
)
REFUSED = {
    "": NOT_JSON,
    "text/plain": NOT_JSON,
    "text/json": NOT_JSON,
    "application/jsonp": NOT_JSON,
    "application/json-seq": NOT_JSON,
    "application/problem+json": NOT_JSON,
    "application/octet-stream": NOT_JSON,  # read where tensors are: see INFER
    "application/xml": NOT_JSON,
    "multipart/form-data; boundary=x": NOT_JSON,
    "application": NOT_JSON,
    "*/*": NOT_JSON,
    "application/json, application/json": NOT_JSON,
    "application/json; charset=utf-16": NOT_UTF8,
    "application/json;charset=latin-1": NOT_UTF8,
    "application/json;charset=x": NOT_UTF8,
    "application/json; charset=idna": NOT_UTF8,
    "application/json; charset=": NOT_UTF8,
    "application/json; charset=utf-8; charset=utf-16": NOT_UTF8,
    "application/x-www-form-urlencoded; charset=gbk": NOT_UTF8,
}


def accepted(name: str, *lines: str, body: bytes = BODY) -> Case:
    return Case(name=name, raw=post(GENERATE, body, *lines), status=200)


def refused(name: str, error: str, *lines: str, body: bytes = BODY) -> Case:
    return Case(name=name, raw=post(GENERATE, body, *lines), status=415, error=error)


def cross_site(name: str, *lines: str) -> Case:
    return Case(name=name, raw=post(GENERATE, BODY, *lines), status=403, error=FOREIGN)


def inferred(name: str, *lines: str, status: int = 200, error: str | None = None) -> Case:
    return Case(name=name, raw=post(INFER, TENSOR, *lines), status=status, error=error)


CHUNKED_HEAD = head(f"POST {GENERATE}", "Transfer-Encoding: chunked")

CASES: list[Case] = [
    accepted("no Content-Type"),
    *(accepted(f"type {value}", f"Content-Type: {value}") for value in READ_AS_JSON),
    *(
        refused(f"type {value}", error, f"Content-Type: {value}")
        for value, error in REFUSED.items()
    ),
    refused("two types, the same", TWO, JSON, JSON),
    refused("two types, differing", TWO, JSON, "Content-Type: text/plain"),
    refused("type before the body is looked at", NOT_JSON, "Content-Type: text/plain", body=b"{"),
    accepted("identity", JSON, "Content-Encoding: identity"),
    accepted("Identity", JSON, "Content-Encoding: Identity"),
    refused("gzip", ENCODED, JSON, "Content-Encoding: gzip", body=gzip.compress(BODY)),
    refused("gzip said, plain sent", ENCODED, JSON, "Content-Encoding: gzip"),
    refused("gzip without a type", ENCODED, "Content-Encoding: gzip"),
    refused("x-gzip", ENCODED, JSON, "Content-Encoding: x-gzip"),
    refused("deflate", ENCODED, JSON, "Content-Encoding: deflate"),
    refused("br", ENCODED, JSON, "Content-Encoding: br"),
    refused("zstd", ENCODED, JSON, "Content-Encoding: zstd"),
    refused("identity, gzip", ENCODED, JSON, "Content-Encoding: identity, gzip"),
    refused("identity and gzip", ENCODED, "Content-Encoding: identity", "Content-Encoding: gzip"),
    refused("a bomb", ENCODED, "Content-Encoding: gzip", body=gzip.compress(bytes(10**7))),
    accepted("Accept text/html", JSON, "Accept: text/html"),
    accepted("Accept nothing", JSON, "Accept: "),
    accepted("Accept-Encoding", JSON, "Accept-Encoding: gzip, br"),
    accepted("unknown Expect", JSON, "Expect: the unexpected"),
    accepted("an offer of HTTP/2", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c"),
    accepted("WebSocket", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
    inferred("a tensor", JSON),
    inferred("a tensor, octets", OCTETS),
    inferred("a tensor, octets in capitals", OCTETS.upper()),
    inferred("a tensor, octets in UTF-8", f"{OCTETS}; charset=utf-8"),
    inferred(
        "a tensor, octets in another charset", f"{OCTETS}; charset=x", status=415, error=NOT_UTF8
    ),
    inferred("a tensor, octets and JSON", OCTETS, JSON, status=415, error=TWO),
    inferred("a tensor, text", "Content-Type: text/plain", status=415, error=NOT_JSON),
    inferred(
        "a tensor of another site",
        OCTETS,
        "Origin: https://evil.example",
        status=403,
        error=FOREIGN,
    ),
    *(
        Case(
            name=f"Transfer-Encoding {value}",
            raw=head(f"POST {GENERATE}", f"Transfer-Encoding: {value}") + chunked(BODY),
            status=415,
            error=NOT_CHUNKED,
        )
        for value in ("gzip, chunked", "deflate,chunked", "identity, chunked", "x, gzip, chunked")
    ),
    Case(
        name="Chunked",
        raw=head(f"POST {GENERATE}", "Transfer-Encoding: Chunked") + chunked(BODY),
        status=200,
    ),
    Case(name="chunked", raw=CHUNKED_HEAD + chunked(BODY), status=200),
    Case(
        name="chunked, each byte alone",
        raw=CHUNKED_HEAD + chunked(*(BODY[at : at + 1] for at in range(len(BODY)))),
        status=200,
    ),
    Case(
        name="chunked, with an extension and a trailer",
        raw=CHUNKED_HEAD + b"%x;a=b\r\n" % len(BODY) + BODY + b"\r\n0\r\nX-Trailer: 1\r\n\r\n",
        status=200,
    ),
    Case(
        name="chunked, empty",
        raw=CHUNKED_HEAD + chunked(),
        status=422,
        error="the body is required",
    ),
    Case(
        name="chunked, not JSON",
        raw=CHUNKED_HEAD + chunked(b"{"),
        status=422,
        error="Expecting property name enclosed in double quotes (line 1, column 2)",
    ),
    Case(
        name="no length at all",
        raw=head(f"POST {GENERATE}"),
        status=422,
        error="the body is required",
    ),
    cross_site("another origin", "Origin: https://evil.example"),
    cross_site("another port", "Origin: http://test:81"),
    cross_site("another scheme", "Origin: https://test"),
    cross_site("no origin", "Origin: null"),
    cross_site("two origins", "Origin: http://test", "Origin: https://evil.example"),
    cross_site("cross-site without an origin", "Sec-Fetch-Site: cross-site"),
    accepted("our own origin", "Origin: http://test"),
    accepted("our own origin, port said", "Origin: http://test:80"),
    accepted("same origin", "Sec-Fetch-Site: same-origin"),
    accepted("typed in by the user", "Sec-Fetch-Site: none"),
]
