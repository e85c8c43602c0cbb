"""Bytes that are HTTP at its edges, and bytes that are not."""

import re

from app.request_head import BAD_HOST, BAD_TARGET, MANY_HOSTS, NO_HOST, NOT_HTTP
from tests.contract.cases.case import GENERATE, Case
from tests.contract.cases.routing import NO_PATH
from tests.wire import chunked, get, head

BODY = b'{"text_input":"a","max_tokens":1}'
TOO_LARGE = "the headers are larger than 65536 bytes"
BODY_TOO_LARGE = re.compile(r"the body is larger than 6356992 bytes")
POST = f"POST {GENERATE}"
LENGTH = f"Content-Length: {len(BODY)}"


def not_http(name: str, raw: bytes) -> Case:
    return Case(name=name, raw=raw, status=400, error=NOT_HTTP)


def bad(name: str, raw: bytes, error: str) -> Case:
    return Case(name=name, raw=raw, status=400, error=error)


def ok(name: str, raw: bytes) -> Case:
    return Case(name=name, raw=raw, status=200)


CASES: list[Case] = [
    not_http("garbage", b"\x00\x01\x02\x03\r\n\r\n"),
    not_http("a TLS hello", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(32)),
    not_http("an SSH banner", b"SSH-2.0-OpenSSH_9.6\r\n"),
    not_http("an HTTP/2 preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    not_http("JSON without HTTP", BODY + b"\r\n\r\n"),
    not_http("an answer", b"HTTP/1.1 200 OK\r\n\r\n"),
    not_http("no such version", b"GET /v2/health/live HTTP/9.9\r\nHost: x\r\n\r\n"),
    not_http("unknown method", head("FOO /v2")),
    not_http("lower case method", head("get /v2")),
    not_http("CONNECT", head("CONNECT example.org:443")),
    not_http("path without a slash", head("GET v2/health/live")),
    not_http("no path", b"GET  HTTP/1.1\r\nHost: x\r\n\r\n"),
    not_http("raw bytes in the path", "GET /é HTTP/1.1\r\nHost: x\r\n\r\n".encode()),
    not_http("NUL in the path", head("GET /v2\0")),
    not_http("a blank in the path", head("GET /v2/health /live")),
    not_http("NUL in a header", head("GET /v2", "X: a\0b")),
    not_http("a header without a colon", head("GET /v2", "nothing")),
    not_http("a blank before the colon", head(POST, f"Content-Length : {len(BODY)}") + BODY),
    not_http("a folded header", head("GET /v2", "X: a", " b")),
    not_http("Content-Length abc", head(POST, "Content-Length: abc")),
    not_http("Content-Length -1", head(POST, "Content-Length: -1")),
    not_http("Content-Length +1", head(POST, "Content-Length: +1") + b"{"),
    not_http("Content-Length 0x12", head(POST, "Content-Length: 0x12") + BODY),
    not_http("Content-Length 1.0", head(POST, "Content-Length: 1.0") + b"{"),
    not_http("Content-Length 18, 18", head(POST, "Content-Length: 18, 18") + BODY),
    not_http("Content-Length 2^64", head(POST, f"Content-Length: {2**64}")),
    not_http("two lengths", head(POST, LENGTH, LENGTH) + BODY),
    not_http("length and chunks", head(POST, LENGTH, "Transfer-Encoding: chunked") + chunked(BODY)),
    not_http("gzip without chunks", head(POST, "Transfer-Encoding: gzip") + BODY),
    not_http("chunks twice", head(POST, "Transfer-Encoding: chunked, identity") + chunked(BODY)),
    not_http("HTTP/2.0", b"GET /v2/health/live HTTP/2.0\r\nHost: x\r\n\r\n"),
    bad("no host", b"GET /v2/health/live HTTP/1.1\r\n\r\n", NO_HOST),
    bad("two hosts", head("GET /v2/health/live", "Host: other"), MANY_HOSTS),
    bad("a host with a blank", b"GET /v2/health/live HTTP/1.1\r\nHost: a b\r\n\r\n", BAD_HOST),
    bad("an address without a host", head("GET http:///v2/health/live"), BAD_TARGET),
    #
    ok("HTTP/0.9", b"GET /v2/health/live\r\n\r\n"),
    ok("HTTP/1.0", b"GET /v2/health/live HTTP/1.0\r\n\r\n"),
    ok("HTTP/1.0 with a body", f"{POST} HTTP/1.0\r\n{LENGTH}\r\n\r\n".encode() + BODY),
    ok("empty lines before", b"\r\n\r\n" + get("/v2/health/live")),
    ok("absolute form", head("GET http://test/v2/health/live")),
    ok("absolute form of another host", head("GET http://example.org:81/v2/health/live")),
    ok("a fragment", head("GET /v2/health/live#top")),
    ok("many headers", head("GET /v2/health/live", *(f"X-{n}: x" for n in range(1000)))),
    ok("a long header", head("GET /v2/health/live", f"X: {'x' * 65_000}")),
    ok("raw bytes in a header", head("GET /v2/health/live", "X: \xff\xfe")),
    ok("a header twice", head("GET /v2/health/live", "X: 1", "X: 2")),
    ok("a body on a GET", head("GET /v2/health/live", LENGTH) + BODY),
    ok("a length with zeros", head(POST, f"Content-Length: 000{len(BODY)}") + BODY),
    Case(name="OPTIONS *", raw=head("OPTIONS *"), status=404, error=NO_PATH),
    #
    Case(
        name="a header over the limit",
        raw=head("GET /v2/health/live", f"X: {'x' * 65_536}"),
        status=431,
        error=TOO_LARGE,
    ),
    Case(
        name="10000 headers",
        raw=head("GET /v2/health/live", *(f"X-{n}: x" for n in range(10_000))),
        status=431,
        error=TOO_LARGE,
    ),
    Case(name="a path over the limit", raw=get("/" + "x" * 66_000), status=431, error=TOO_LARGE),
    Case(
        name="300 MB announced",
        raw=head(POST, "Content-Length: 300000000"),
        status=413,
        error=BODY_TOO_LARGE,
    ),
    Case(
        name="10^12 bytes announced",
        raw=head(POST, "Content-Length: 1000000000000"),
        status=413,
        error=BODY_TOO_LARGE,
    ),
    Case(
        name="2^63 - 1 bytes announced",
        raw=head(POST, f"Content-Length: {2**63 - 1}"),
        status=413,
        error=BODY_TOO_LARGE,
    ),
    Case(
        name="one byte too many announced",
        raw=head(POST, "Content-Length: 6356993"),
        status=413,
        error=BODY_TOO_LARGE,
    ),
    Case(
        name="too much, of a refused type",
        raw=head(POST, "Content-Length: 300000000", "Content-Type: text/plain"),
        status=415,
        error="Content-Type: must be application/json",
    ),
]
