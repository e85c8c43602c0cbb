"""Requests of streams, and servers that answer one."""

import json
from typing import Any

from tests.fake_engine import FakeEngine
from tests.live_server import serving
from tests.streams import STREAM, Stream, read_head, read_stream
from tests.wire import Connection, post

VERSION_STREAM = "/v2/models/fake/versions/1/generate_stream"
PLAIN = {"id": "a1", "text_input": "hi"}
DETAILED = {**PLAIN, "parameters": {"details": True, "perf_stat": True}}


def send(connection: Connection, body: Any, path: str = STREAM) -> None:
    connection.send(post(path, json.dumps(body).encode()))


def stream(engine: FakeEngine, body: Any, path: str = STREAM, **settings: Any) -> Stream:
    with serving(engine, **settings) as server, server.connection() as connection:
        send(connection, body, path)
        head = read_head(connection)
        assert head.status == 200
        assert head.headers["content-type"] == "text/event-stream; charset=utf-8"
        return read_stream(connection)
