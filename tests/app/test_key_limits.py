"""What one API key may use: requests at once, and requests a minute."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from app import key_quota
from app.errors import HttpError
from app.key_quota import KeyQuota
from tests.answers import Judge
from tests.fake_engine import FakeEngine, chunks
from tests.keys import add_key
from tests.live_server import LiveServer, get, post, serving, wait_until
from tests.streams import STREAM

BODY = b'{"text_input":"hi"}'
MODEL = "/v2/models/fake"
ONE, TWO_A_MINUTE, TOOLS, PLAIN = (
    f"Authorization: Bearer {key}\r\n" for key in ("gsk_1", "gsk_2", "gsk_3", "gsk_4")
)


@pytest.fixture(scope="module")
def limiting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Requests take a second; a key may run three, unless its entry says otherwise."""
    path = tmp_path_factory.mktemp("keys") / "keys.json"
    add_key(path, "one", "gsk_1", concurrency=1)
    add_key(path, "two-a-minute", "gsk_2", requests_per_minute=2)
    add_key(path, "tools", "gsk_3", requests_per_minute=1)
    add_key(path, "plain", "gsk_4")
    engine = FakeEngine(script=chunks("a", "b"), seconds_per_chunk=0.5)
    with serving(engine, api_keys_file=path, key_concurrency=3) as server:
        yield server


@pytest.fixture(scope="module")
def judge(limiting: LiveServer) -> Judge:
    return Judge(limiting.exchange(get("/openapi.json")).json())


def test_a_key_has_its_own_number_of_requests_at_once(limiting: LiveServer, judge: Judge) -> None:
    num_before = len(limiting.engine.requests)
    with ThreadPoolExecutor() as pool:
        running = pool.submit(limiting.exchange, post(BODY, STREAM, ONE))
        wait_until(lambda: len(limiting.engine.requests) == num_before + 1)
        over = [limiting.exchange(post(BODY, path, ONE)) for path in (STREAM, f"{MODEL}/tokenize")]
        others = list(pool.map(limiting.exchange, [post(BODY, headers=PLAIN)] * 4))
        stopped = limiting.exchange(post(b'{"id":"a1"}', f"{MODEL}/stopInfer", ONE))

    for reply in over:
        judge.check(post(BODY), reply)
        assert (reply.status, reply.headers["retry-after"]) == (429, "1")
        assert reply.json()["error_type"] == "Overloaded"
    assert sorted(reply.status for reply in others) == [200, 200, 200, 429]
    assert stopped.status == 404  # found nothing, but was let in
    assert running.result().status == 200
    assert limiting.exchange(post(BODY, headers=ONE)).status == 200


def test_a_client_that_leaves_gives_its_place_back(limiting: LiveServer) -> None:
    with limiting.connection() as connection:
        num_before = limiting.engine.num_closed
        connection.send(post(BODY, headers=ONE))
        wait_until(lambda: limiting.exchange(post(BODY, headers=ONE)).status == 429)
    wait_until(lambda: limiting.engine.num_closed > num_before)

    assert limiting.exchange(post(BODY, headers=ONE)).status == 200


def test_a_key_has_its_own_number_of_requests_a_minute(limiting: LiveServer, judge: Judge) -> None:
    replies = [limiting.exchange(post(b"{", headers=TWO_A_MINUTE)) for _ in range(3)]

    for reply in replies:
        judge.check(post(b"{"), reply)
        assert reply.headers["ratelimit-limit"] == "2"
        assert 50 < int(reply.headers["ratelimit-reset"]) <= 60
    assert [reply.status for reply in replies] == [422, 422, 429]
    assert [reply.headers["ratelimit-remaining"] for reply in replies] == ["1", "0", "0"]
    assert replies[-1].headers["retry-after"] == replies[-1].headers["ratelimit-reset"]
    assert limiting.exchange(get("/v2", TWO_A_MINUTE)).status == 200  # costs nothing
    assert "ratelimit-limit" not in limiting.exchange(post(b"{", headers=PLAIN)).headers


def test_operations_on_texts_count_too(limiting: LiveServer) -> None:
    statuses = [
        limiting.exchange(post(BODY, f"{MODEL}/{name}", TOOLS)).status
        for name in ("tokenize", "detect_watermark")
    ]

    assert statuses == [200, 429]


def test_a_new_minute_begins_with_the_first_request_after_the_last_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 1000.0
    monkeypatch.setattr(key_quota, "monotonic", lambda: now)
    quota = KeyQuota()
    quota.count(1)
    now += 59.5
    with pytest.raises(HttpError) as raised:
        quota.count(1)
    assert raised.value.headers["Retry-After"] == "1"
    now += 0.5
    assert quota.count(1)["RateLimit-Reset"] == "60"
