"""API keys: who is let in, what everybody may see, and what is told to those who are not."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.document import Document
from app.server import create_app
from app.settings import Settings
from tests.answers import Judge
from tests.documents import example_body, operations
from tests.fake_engine import FakeEngine
from tests.keys import add_key
from tests.live_server import GENERATE, LiveServer, get, post, serving

KEY, OTHER = "gsk_first", "gsk_second"
BODY = b'{"text_input":"hi"}'
PREFLIGHT = {
    "Origin": "https://app.example",
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization",
}


@pytest.fixture(scope="module")
def keys_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("keys") / "keys.json"
    add_key(path, "web", KEY)
    add_key(path, "batch", OTHER)
    return path


@pytest.fixture(scope="module")
def keyed(keys_file: Path) -> Iterator[LiveServer]:
    with serving(api_keys_file=keys_file, cors_origins=("https://app.example",)) as server:
        yield server


@pytest.fixture(scope="module")
def document(keyed: LiveServer) -> Document:
    served: Document = keyed.exchange(get("/openapi.json")).json()
    return served


@pytest.fixture(scope="module")
def judge(document: Document) -> Judge:
    return Judge(document)


@pytest.mark.parametrize(
    "line",
    [
        f"Authorization: Bearer {KEY}",
        f"Authorization: Bearer {OTHER}",
        f"authorization: bearer {KEY}",
        f"Authorization: BEARER {KEY}",
        f"Authorization:   Bearer   {KEY}  \t ",
    ],
)
def test_each_key_lets_in_however_the_scheme_is_spelled(keyed: LiveServer, line: str) -> None:
    assert keyed.exchange(post(BODY, headers=f"{line}\r\n")).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        "",
        "Authorization:\r\n",
        "Authorization: Bearer\r\n",
        "Authorization: Bearer \r\n",
        f"Authorization: {KEY}\r\n",
        f"Authorization: Basic {KEY}\r\n",
        f"Authorization: Bearer{KEY}\r\n",
        f"Authorization: Bearer {KEY}x\r\n",
        f"Authorization: Bearer {KEY[:-1]}\r\n",
        f"Authorization: Bearer {KEY.upper()}\r\n",
        f"Authorization: Bearer {KEY} {KEY}\r\n",
        f"Authorization: Bearer {KEY}, Bearer {OTHER}\r\n",
        f"Authorization: Bearer {KEY}\r\nAuthorization: Bearer {KEY}\r\n",
        "Authorization: Bearer schlüssel\r\n",
        f"Authorization: Bearer {'x' * 60_000}\r\n",
        f"X-Api-Key: {KEY}\r\n",
        f"Cookie: key={KEY}\r\n",
    ],
)
def test_anything_else_is_401_and_tells_nothing(
    keyed: LiveServer, document: Document, judge: Judge, headers: str
) -> None:
    raw = post(BODY, headers=headers)
    num_before = len(keyed.engine.requests)

    reply = keyed.exchange(raw)

    judge.check(raw, reply)
    example = document["components"]["responses"]["Unauthorized"]["content"]["application/json"]
    assert (reply.status, reply.json()) == (401, example["example"])
    assert reply.headers["www-authenticate"] == "Bearer"
    assert len(keyed.engine.requests) == num_before


def test_a_key_of_a_megabyte_is_431(keyed: LiveServer) -> None:
    reply = keyed.exchange(post(BODY, headers=f"Authorization: Bearer {'x' * 2**20}\r\n"))

    assert (reply.status, reply.json()["error_type"]) == (431, "Request Header Fields Too Large")


def test_every_operation_asks_for_a_key_where_the_document_says_so(
    keyed: LiveServer, document: Document
) -> None:
    is_open = {}
    for path, method, operation in operations(document):
        path = path.format(model_name="fake", model_version="1")
        body = json.dumps(example_body(document, operation)).encode()
        reply = keyed.exchange(post(body, path) if method == "post" else get(path))
        is_open[operation["operationId"]] = reply.status != 401
        assert is_open[operation["operationId"]] == (operation.get("security") == [])
        assert ("401" in operation["responses"]) != is_open[operation["operationId"]]

    assert {name for name, is_free in is_open.items() if is_free} == {
        *("health_live", "health_ready", "model_ready", "model_version_ready")
    }


@pytest.mark.parametrize(
    "path",
    [
        *("/openapi.json", "/openapi.yaml", "/ui/", "/ui/swagger-ui.css"),
        *("/", "/playground/main.js"),
    ],
)
def test_the_document_and_its_interface_are_for_everybody(keyed: LiveServer, path: str) -> None:
    assert keyed.exchange(get(path)).status == 200


def test_without_a_key_nobody_learns_which_models_there_are(keyed: LiveServer) -> None:
    assert keyed.exchange(post(BODY, "/v2/models/other/generate")).status == 401
    assert keyed.exchange(get("/v2/models/other")).status == 401


def test_a_body_is_not_read_without_a_key(keyed: LiveServer) -> None:
    head = f"POST {GENERATE} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"

    assert keyed.exchange(head.encode()).status == 401


def test_a_listed_page_may_ask_before_it_sends_its_key(keyed: LiveServer) -> None:
    lines = "".join(f"{name}: {value}\r\n" for name, value in PREFLIGHT.items())
    preflight = f"OPTIONS {GENERATE} HTTP/1.1\r\nHost: x\r\n{lines}\r\n"

    granted = keyed.exchange(preflight.encode())
    refused = keyed.exchange(post(BODY, headers="Origin: https://app.example\r\n"))

    assert granted.status == 204
    assert granted.headers["access-control-allow-headers"] == "authorization"
    assert refused.status == 401
    assert refused.headers["access-control-allow-origin"] == "https://app.example"


async def test_the_document_tells_of_keys_only_where_there_are_some(
    client: httpx.AsyncClient, document: Document
) -> None:
    without = (await client.get("/openapi.json")).text

    assert document["security"] == [{"key": []}]
    assert document["components"]["securitySchemes"]["key"]["scheme"] == "bearer"
    assert json.loads(without)["security"] == []
    assert not any(word in without for word in ("bearer", "401", "RateLimit", "x-only-with"))


async def test_keys_are_off_unless_a_file_is_named(client: httpx.AsyncClient) -> None:
    reply = await client.post(GENERATE, content=BODY, headers={"Authorization": "Bearer nonsense"})

    assert reply.status_code == 200


async def test_a_key_that_is_added_or_removed_counts_at_once(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    add_key(path, "old", "gsk_old")
    app = create_app(Settings(api_keys_file=path), FakeEngine(is_ready=True))
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:

        async def status(key: str) -> int:
            headers = {"Authorization": f"Bearer {key}"}
            return (await client.get("/v2", headers=headers)).status_code

        assert [await status(key) for key in ("gsk_old", "gsk_new")] == [200, 401]
        path.unlink()
        assert await status("gsk_old") == 200  # the file is on its way, or there is a fault
        add_key(path, "new", "gsk_new")
        assert [await status(key) for key in ("gsk_old", "gsk_new")] == [401, 200]
        path.write_text("{")
        assert await status("gsk_new") == 200
