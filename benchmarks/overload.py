"""Latency of answers and of refusals at one, two and ten times what a server can do.

    genspec serve --dtype int8 --max-batch-size 8 --max-queue-size 16 &
    python -m benchmarks.overload http://127.0.0.1:8000 [--seconds N] [--new-tokens N] [--at-once N]

First ``--at-once`` clients, as many as the server computes at once, ask again as soon as they are
answered: that is its capacity. Then requests come at random moments (a Poisson process), so many
a second on average, whoever is still waiting.
"""

import argparse
import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit
from urllib.request import urlopen

LOADS = (1, 2, 10)
SUBJECTS = ("the sea", "a train", "the moon", "bread", "a violin", "winter", "a river", "glass")


@dataclass(frozen=True, slots=True)
class Target:
    """What is asked, and what for."""

    host: str
    port: int
    path: str
    num_new_tokens: int

    def request(self, number: int) -> bytes:
        parameters = {"max_new_tokens": self.num_new_tokens, "ignore_eos": True}
        text = f"Write a paragraph about {SUBJECTS[number % len(SUBJECTS)]}, in {number} words."
        body = json.dumps({"text_input": text, "parameters": parameters}).encode()
        head = f"POST {self.path} HTTP/1.1\r\nHost: {self.host}\r\nConnection: close\r\n"
        return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    seconds: float


async def ask(target: Target, number: int) -> Answer:
    started_at = time.perf_counter()
    reader, writer = await asyncio.open_connection(target.host, target.port)
    try:
        writer.write(target.request(number))
        answer = await reader.read()
        return Answer(int(answer.split(maxsplit=2)[1]), time.perf_counter() - started_at)
    finally:
        writer.close()


async def capacity(target: Target, at_once: int, seconds: float) -> float:
    """Requests a second that are answered well."""
    deadline = time.perf_counter() + seconds
    num_answered = 0

    async def keep_asking(first: int) -> None:
        nonlocal num_answered
        number = first
        while time.perf_counter() < deadline:
            answer = await ask(target, number)
            if answer.status != 200:
                raise SystemExit(f"status {answer.status} from a server that is not full")
            num_answered += 1
            number += at_once

    started_at = time.perf_counter()
    await asyncio.gather(*(keep_asking(first) for first in range(at_once)))
    return num_answered / (time.perf_counter() - started_at)


async def load(target: Target, requests_per_second: float, seconds: float) -> list[Answer]:
    """The answers to all that came in that time."""
    moments = random.Random(7)
    begin = time.perf_counter()
    due = 0.0
    asking: list[asyncio.Task[Answer]] = []
    while due < seconds:
        await asyncio.sleep(max(0.0, begin + due - time.perf_counter()))
        asking.append(asyncio.create_task(ask(target, len(asking))))
        due += moments.expovariate(requests_per_second)
    return await asyncio.gather(*asking)


def figures(answers: Iterable[Answer], status: int) -> str:
    """Number, median and 99th percentile, as cells of a table."""
    times = sorted(answer.seconds for answer in answers if answer.status == status)
    if not times:
        return "0 | |"
    cells = (times[len(times) // 2], times[len(times) * 99 // 100])
    shown = " | ".join(f"{seconds * 1000:.0f} ms" for seconds in cells)
    return f"{len(times)} | {shown}"


async def measure(target: Target, at_once: int, seconds: float) -> None:
    await capacity(target, at_once, seconds / 4)  # whatever is made at first use
    most = await capacity(target, at_once, seconds)
    print(f"capacity: {most:.2f} requests/s, {target.num_new_tokens} tokens each\n")
    print("| load | requests/s | 200 | median | p99 | 429 | median | p99 | others |")
    print("|---|---|---|---|---|---|---|---|---|")
    for factor in LOADS:
        answers = await load(target, factor * most, seconds)
        others = Counter(answer.status for answer in answers if answer.status not in (200, 429))
        told = ", ".join(f"{status}: {number}" for status, number in others.items()) or "none"
        cells = (f"{factor}x", f"{factor * most:.1f}", figures(answers, 200), figures(answers, 429))
        print(f"| {' | '.join(cells)} | {told} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("url")
    parser.add_argument("--seconds", type=float, default=30, help="of each load")
    parser.add_argument("--new-tokens", type=int, default=32)
    parser.add_argument("--at-once", type=int, default=8, help="max_batch_size of the server")
    options = parser.parse_args()
    with urlopen(f"{options.url}/openapi.json") as answer:
        model = json.load(answer)["components"]["parameters"]["ModelName"]["example"]
    place = urlsplit(options.url)
    path = f"/v2/models/{model}/generate"
    target = Target(place.hostname or "", place.port or 80, path, options.new_tokens)
    asyncio.run(measure(target, options.at_once, options.seconds))


if __name__ == "__main__":
    main()
