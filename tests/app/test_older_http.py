"""Clients of HTTP/1.0, over sockets: no chunks, nothing before the answer, kept only if asked."""

import pytest

from tests.live_server import GENERATE, LiveServer
from tests.streams import STREAM, parse_frame
from tests.wire import Connection

BODY = b'{"text_input":"hi"}'
KEEP = "Connection: keep-alive"


def older(start: str, *lines: str) -> bytes:
    return "\r\n".join((f"{start} HTTP/1.0", *lines, "", "")).encode()


def older_post(path: str, *lines: str) -> bytes:
    return older(f"POST {path}", f"Content-Length: {len(BODY)}", *lines) + BODY


def read_rest(connection: Connection) -> bytes:
    return b"".join(iter(lambda: connection.read_bytes(1), b""))


@pytest.mark.parametrize("lines", [(), (KEEP,)], ids=["", KEEP])
def test_a_stream_is_bare_and_ends_with_the_connection(
    live: LiveServer, lines: tuple[str, ...]
) -> None:
    with live.connection() as connection:
        connection.send(older_post(STREAM, *lines))
        reply = connection.read(has_body=False)
        events = [parse_frame(part + b"\n\n") for part in read_rest(connection).split(b"\n\n")[:-1]]

    assert reply.status == 200
    assert reply.headers["connection"] == "close"
    assert not {"transfer-encoding", "content-length"} & reply.headers.keys()
    assert [event["text_output"] for event in events] == ["Hel", "lo"]


def test_a_connection_is_kept_only_where_that_is_asked_for(live: LiveServer) -> None:
    with live.connection() as connection:
        for _ in range(2):
            connection.send(older_post(GENERATE, KEEP))
            reply = connection.read()
            assert (reply.json()["text_output"], reply.headers["connection"]) == (
                "Hello",
                "keep-alive",
            )
        connection.send(older_post(GENERATE))
        reply = connection.read()
        assert (reply.status, reply.headers["connection"]) == (200, "close")
        assert connection.is_closed()


def test_a_kept_connection_may_go_on_in_the_newer_version(live: LiveServer) -> None:
    newer = b"GET /v2/health/live HTTP/1.1\r\nHost: test\r\n\r\n"
    with live.connection() as connection:
        connection.send(older_post(GENERATE, KEEP) + newer * 2)
        replies = [connection.read() for _ in range(3)]

    assert [reply.headers.get("connection") for reply in replies] == ["keep-alive", None, None]


def test_an_answer_without_a_body_ends_with_its_head(live: LiveServer) -> None:
    with live.connection() as connection:
        connection.send(older("HEAD /v2", KEEP))
        assert connection.read(has_body=False).status == 200
        tag = live.exchange(older("GET /ui/")).headers["etag"]
        connection.send(older("GET /ui/", KEEP, f"If-None-Match: {tag}"))
        assert connection.read(has_body=False).status == 304
        assert connection.is_closed()


def test_nobody_is_told_to_go_on(live: LiveServer) -> None:
    reply = live.exchange(older_post(GENERATE, "Expect: 100-continue"))

    assert (reply.status, reply.json()["text_output"]) == (200, "Hello")
