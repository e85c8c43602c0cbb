"""A text never depends on who else is being served."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.e2e.answer import CAPITAL, ask
from tests.real_server import RealServer

NUM_REQUESTS = 16


def request(number: int) -> tuple[str, dict[str, Any]]:
    """Sixteen prompts of other lengths, half of them sampled, each in its own way."""
    prompt = f"{CAPITAL} Paris. " * (number % 5) + f"Number {number}: "
    sampling: dict[str, Any] = {
        "do_sample": True,
        "seed": 2**64 - 1 - number,
        "temperature": 0.5 + number / 10,
        "top_k": (0, 20)[number % 4 == 1],
        "top_p": (1, 0.9)[number % 3 == 1],
        "repetition_penalty": 1 + number / 50,
    }
    return prompt, {"max_new_tokens": 12 + number, **(sampling if number % 2 else {})}


def tokens(server: RealServer, number: int) -> list[int]:
    prompt, parameters = request(number)
    return ask(server, prompt, **parameters).token_ids


def test_sixteen_at_once_get_what_each_gets_alone(server: RealServer) -> None:
    numbers = range(NUM_REQUESTS)
    alone = [tokens(server, number) for number in numbers]

    with ThreadPoolExecutor(NUM_REQUESTS) as pool:
        together = list(pool.map(lambda number: tokens(server, number), numbers))
        reversed_order = list(pool.map(lambda number: tokens(server, number), reversed(numbers)))

    assert together == alone
    assert reversed_order[::-1] == alone


def test_one_id_for_two_requests_mixes_nothing_up(server: RealServer) -> None:
    bodies = [
        {"id": "a123", "text_input": text, "parameters": {"max_new_tokens": num_tokens}}
        for text, num_tokens in ((CAPITAL, 16), ("今天天气", 24))
    ]
    alone = [server.ask(body).json() for body in bodies]

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda body: server.ask(body).json(), bodies)) == alone
