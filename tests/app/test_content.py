"""Which bodies are read, by their headers, and what the answer's headers tell about fields."""

import time
from urllib.parse import unquote

import httpx
import pytest

from app.document import load_document
from app.errors import ERROR_TYPES
from app.field_names import FieldNames
from tests.fake_engine import FakeEngine, chunks
from tests.live_server import GENERATE, LiveServer, get, post

BODY = b'{"text_input":"hi"}'
JSON = "Content-Type: application/json\r\n"
NAMES = FieldNames.of(load_document())


@pytest.mark.parametrize(
    "headers",
    [
        "",
        JSON,
        "Content-Type: Application/JSON\r\n",
        "Content-Type: application/json ; charset=UTF-8\r\n",
        'Content-Type: application/json;charset="utf-8"\r\n',
        "Content-Type: application/json; profile=a/b\r\n",
        "Content-Type: application/x-www-form-urlencoded\r\n",
        "Content-Type: application/x-www-form-urlencoded;charset=utf-8\r\n",
        JSON + "Content-Encoding: identity\r\n",
        JSON + "Accept: text/html\r\n",
    ],
)
def test_read_as_json(live: LiveServer, headers: str) -> None:
    reply = live.exchange(post(BODY, headers=headers))

    assert (reply.status, reply.json()["text_output"]) == (200, "Hello")


@pytest.mark.parametrize(
    ("headers", "field"),
    [
        ("Content-Type: text/plain\r\n", "Content-Type"),
        ("Content-Type: \r\n", "Content-Type"),
        ("Content-Type: application/jsonx\r\n", "Content-Type"),
        ("Content-Type: application/json, text/plain\r\n", "Content-Type"),
        ("Content-Type: multipart/form-data; boundary=x\r\n", "Content-Type"),
        (JSON + JSON, "Content-Type"),
        ("Content-Type: application/json; charset=utf-16\r\n", "charset"),
        ("Content-Type: application/json;charset=x\r\n", "charset"),
        ("Content-Type: application/x-www-form-urlencoded; charset=latin-1\r\n", "charset"),
        (JSON + "Content-Encoding: gzip\r\n", "Content-Encoding"),
        ("Content-Encoding: br\r\n", "Content-Encoding"),
        ("Content-Type: application/octet-stream\r\n", "Content-Type"),
    ],
)
def test_refused_unread(live: LiveServer, headers: str, field: str) -> None:
    reply = live.exchange(post(b"no JSON", headers=headers))

    assert (reply.status, reply.json()["error_type"]) == (415, ERROR_TYPES[415])
    assert field in reply.json()["error"]


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'{"text_input":NaN}', b'{"text_input":""}'])
def test_a_bad_body_is_422(live: LiveServer, raw: bytes) -> None:
    reply = live.exchange(post(raw))

    assert (reply.status, reply.json()["error_type"]) == (422, ERROR_TYPES[422])


def test_a_chunked_body_is_read(live: LiveServer) -> None:
    chunked = b"".join(b"%x\r\n%s\r\n" % (1, BODY[i : i + 1]) for i in range(len(BODY)))
    head = f"POST {GENERATE} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()

    assert live.exchange(head + chunked + b"0\r\n\r\n").status == 200


def test_a_client_that_asks_first_is_told_to_go_on(live: LiveServer) -> None:
    head, body = post(BODY, headers="Expect: 100-continue\r\n").split(b"\r\n\r\n")
    with live.connection() as connection:
        connection.send(head + b"\r\n\r\n")
        assert connection.read().status == 100
        connection.send(body)
        assert connection.read().status == 200


@pytest.mark.parametrize("num_parts", [1, 2, 7])
def test_an_offer_to_upgrade_costs_neither_body_nor_connection(
    live: LiveServer, num_parts: int
) -> None:
    offer = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n"
    raw = post(BODY, headers=offer)
    size = -(-len(raw) // num_parts)
    with live.connection() as connection:
        for start in range(0, len(raw), size):
            connection.send(raw[start : start + size])
            time.sleep(0.02)
        assert connection.read().status == 200
        connection.send(post(BODY))
        assert connection.read().status == 200


def test_an_offer_to_upgrade_a_request_without_a_body(live: LiveServer) -> None:
    offer = "Connection: Upgrade\r\nUpgrade: websocket\r\n"

    assert live.exchange(get("/v2/health/live", offer)).json() == {"live": True}


@pytest.mark.parametrize(
    "offer",
    [
        "Connection: close, Upgrade\r\nUpgrade: websocket\r\n",
        "Connection: Upgrade, HTTP2-Settings , Close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\n",
        "Connection: Upgrade\r\nUpgrade: h2c\r\nConnection: close\r\n",
    ],
)
def test_a_connection_that_offers_an_upgrade_ends_where_that_is_asked(
    live: LiveServer, offer: str
) -> None:
    with live.connection() as connection:
        connection.send(post(BODY, headers=offer))
        reply = connection.read()
        assert (reply.json()["text_output"], reply.headers["connection"]) == ("Hello", "close")
        assert connection.is_closed()


async def test_ignored_and_capped_fields_are_named(client: httpx.AsyncClient) -> None:
    body = {"text_input": "hi", "foo": 1, "": 1, "max_tokens": 2000, "parameters": {"bär": 2}}

    reply = await client.post(f"{GENERATE}?trace=1&a[b]=", json=body)

    ignored = [unquote(name) for name in reply.headers["x-ignored-fields"].split(", ")]
    assert reply.status_code == 200
    assert ignored == ["foo", '""', "parameters.bär", "query.trace", "query.a[b]"]
    assert reply.headers["x-capped-fields"] == "max_tokens"


async def test_nothing_ignored_means_no_header(client: httpx.AsyncClient) -> None:
    reply = await client.post(GENERATE, json={"text_input": "hi"})

    assert "x-ignored-fields" not in reply.headers
    assert "x-capped-fields" not in reply.headers


def test_the_longest_header_is_the_one_that_the_document_allows() -> None:
    headers = load_document()["components"]["headers"]
    longest = NAMES.header(["n" * NAMES.max_name_length] * NAMES.max_names)

    for name in ("XIgnoredFields", "XCappedFields"):
        schema = headers[name]["schema"]
        assert schema["maxLength"] == len(longest)
        assert (schema["x-max-names"], schema["x-max-name-length"]) == (
            NAMES.max_names,
            NAMES.max_name_length,
        )
    assert f"At most {NAMES.max_names} " in headers["XIgnoredFields"]["description"]
    assert f"at {NAMES.max_name_length} characters" in headers["XIgnoredFields"]["description"]


def test_at_most_so_many_names_of_so_many_characters() -> None:
    names = [f"{number}{'é,' * 100}\r\n" for number in range(NAMES.max_names + 5)]

    header = NAMES.header(names).decode("ascii")

    assert header.isprintable()
    parts = header.split(", ")
    assert len(parts) == NAMES.max_names
    for part, name in zip(parts, names, strict=False):
        assert NAMES.max_name_length - 6 <= len(part) <= NAMES.max_name_length
        assert name.startswith(unquote(part, errors="strict"))


async def test_characters_are_sent_as_they_are(
    engine: FakeEngine, client: httpx.AsyncClient
) -> None:
    engine.script = chunks("巴黎 😀", '\u2028"')

    reply = await client.post(GENERATE, json={"text_input": "hi", "id": "中"})

    assert "巴黎 😀\u2028".encode() in reply.content
    assert reply.json()["text_output"] == '巴黎 😀\u2028"'
    assert reply.json()["id"] == "中"
