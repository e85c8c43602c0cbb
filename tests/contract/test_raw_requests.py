"""Raw requests over a socket to the real server, each with the status and text it must get."""

import re
from collections.abc import Iterator

import pytest

from tests.answers import strict_json
from tests.contract.cases import (
    content,
    extensions,
    json_bodies,
    parameters,
    raw_http,
    routing,
    spellings,
    texts,
)
from tests.contract.cases.case import GENERATE, Case
from tests.real_server import RealServer
from tests.wire import Connection, Reply, get

pytestmark = pytest.mark.slow

TOPICS = {
    "json": json_bodies.CASES,
    "text": texts.CASES,
    "parameter": parameters.CASES,
    "extension": extensions.CASES,
    "spelling": spellings.CASES,
    "content": content.CASES,
    "routing": routing.CASES,
    "http": raw_http.CASES,
}
CASES = [case for cases in TOPICS.values() for case in cases]
IDS = [f"{topic}: {case.name[:50]}" for topic, cases in TOPICS.items() for case in cases]


def test_the_table_is_long_and_has_no_row_twice() -> None:
    assert len(CASES) >= 150
    assert len({case.raw for case in CASES}) == len(CASES)


@pytest.fixture(scope="module")
def life_line(server: RealServer) -> Iterator[Connection]:
    """A connection of another client, to see that what one client sends harms no other."""
    with server.connect() as connection:
        yield connection


@pytest.mark.parametrize("case", CASES, ids=map(ascii, IDS))
def test_raw_request(server: RealServer, life_line: Connection, case: Case) -> None:
    reply = server.exchange(case.raw)

    assert reply.status == case.status, reply.body
    assert reply.headers.get("x-ignored-fields") == case.ignored
    assert reply.headers.get("x-capped-fields") == case.capped
    assert reply.headers.get("allow") == case.allow
    assert "location" not in reply.headers
    if case.status == 200:
        check_answer(case, reply)
    elif reply.body:
        check_message(case, strict_json(reply.body)["error"])
    life_line.send(get("/v2/health/live"))
    assert life_line.read().json() == {"live": True}


def check_answer(case: Case, reply: Reply) -> None:
    assert case.error is None
    if GENERATE.encode() in case.raw.partition(b"\r\n")[0]:
        answer = strict_json(reply.body)
        names = ["id", "model_name", "model_version", "text_output"]
        assert list(answer) in (names, [*names, "details"])


def check_message(case: Case, message: str) -> None:
    if isinstance(case.error, re.Pattern):
        assert case.error.fullmatch(message)
    else:
        assert message == case.error
