"""How much faster a sequence is whose own tokens are guessed (prompt lookup), with the same text.

    python -m benchmarks.speculation [MODEL] [--rounds N] [--new-tokens N]

Two engines in one process, with drafts and without, answer each prompt in turn, alone; the best of
the rounds counts. Then all prompts, some at once. Texts that differ end it with an error.
"""

import argparse
import asyncio
import math
import time
from dataclasses import replace

from benchmarks.concurrency import make_engine, make_request
from engine import GenerationRequest, LocalEngine

CODE = """def parse_line(line):
    name, value = line.split("=", 1)
    name = name.strip()
    value = value.strip()
    if not name:
        raise ValueError("no name")
    return name, value

def parse_file(path):
    result = {}
    with open(path) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, value = parse_line(line)
                result[name] = value
    return result
"""
TEXT = (
    "The river rises in the hills north of the town, runs past the old mill and the market square,"
    " and meets the sea at the harbour. In spring it floods the meadows, and the farmers move their"
    " sheep to higher ground. The mill was built in 1712 by Thomas Ward, whose family kept it for"
    " two hundred years. Today it is a museum, open from April to October, and the market square"
    " has a fair on the first Sunday of each month."
)
PROMPTS = {
    "code: rename": f"Rename the function parse_line to read_pair and print the code:\n{CODE}",
    "code: docstrings": f"Add docstrings to this code:\n{CODE}",
    "code: a class": "Write a Python class Stack with push, pop, peek and is_empty, and tests.",
    "chat: summary": f"Summarise this text:\n{TEXT}",
    "chat: facts": f"List the facts of this text as bullet points:\n{TEXT}",
    "chat: essay": "Write a paragraph about winter.",
    "chat: steps": "How do I bake bread? Give steps.",
    "chat: email": "Write an email to my landlord about a broken heater.",
    "chat: story": "Tell me a short story about a fox and a crow.",
}
TEMPERATURES = (0.0, 0.7)
CONCURRENCIES = (2, 4, 8)


def request(name: str, number: int, temperature: float, num_tokens: int) -> GenerationRequest:
    prompt = f"<|im_start|>user\n{PROMPTS[name]}<|im_end|>\n<|im_start|>assistant\n"
    plain = make_request(0, str(number), num_tokens)
    params = replace(
        plain.sampling_params,
        do_sample=temperature > 0,
        temperature=temperature or 1.0,
        top_p=0.95,
        seed=7,
        ignore_eos=False,
    )
    return replace(plain, prompt=prompt, sampling_params=params)


async def run(engine: LocalEngine, asked: GenerationRequest) -> tuple[list[int], float]:
    """The tokens, and the seconds from the first one to the last."""
    token_ids: list[int] = []
    first = last = 0.0
    async for chunks in engine.stream(asked):
        last = time.perf_counter()
        first = first or last
        token_ids += [chunk.token.token_id for chunk in chunks if chunk.token is not None]
    return token_ids, last - first


async def alone(
    engines: list[LocalEngine], name: str, temperature: float, options: argparse.Namespace
) -> float:
    """Print one row, and return how many times as fast it is with drafts."""
    best = [math.inf, math.inf]
    texts: list[list[int]] = [[], []]
    for number in range(options.rounds):
        for index, engine in enumerate(engines):
            asked = request(name, number, temperature, options.new_tokens)
            texts[index], seconds = await run(engine, asked)
            best[index] = min(best[index], seconds)
    assert texts[0] == texts[1], name
    num_tokens = len(texts[0]) - 1
    speeds = " | ".join(f"{num_tokens / seconds:.0f}" for seconds in best)
    print(f"| {name} | {temperature} | {num_tokens + 1} | {speeds} | {best[0] / best[1]:.2f} |")
    return best[0] / best[1]


async def at_once(engine: LocalEngine, width: int, num_tokens: int) -> float:
    """Tokens a second of all prompts twice, so many at once."""
    places = asyncio.Semaphore(width)

    async def take_place(number: int, name: str) -> int:
        async with places:
            return len((await run(engine, request(name, number, 0.0, num_tokens)))[0])

    begin = time.perf_counter()
    counts = await asyncio.gather(
        *(take_place(number, name) for number, name in enumerate([*PROMPTS, *PROMPTS]))
    )
    return sum(counts) / (time.perf_counter() - begin)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?", default="smollm2-135m-instruct")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--new-tokens", type=int, default=200)
    options = parser.parse_args()
    engines = [
        make_engine(options.model, "native", "int8", max_draft_tokens=num_draft_tokens)
        for num_draft_tokens in (0, 5)
    ]
    for engine in engines:
        await engine.start()
    print("| prompt | temperature | tokens | without, tokens/s | with drafts | ratio |")
    print("|---|---|---|---|---|---|")
    for temperature in TEMPERATURES:
        ratios = [await alone(engines, name, temperature, options) for name in PROMPTS]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"| geometric mean | {temperature} | | | | {mean:.2f} |")
    for width in CONCURRENCIES:
        speeds = [
            [await at_once(each, width, 100) for each in engines] for _ in range(options.rounds)
        ]
        without, drafted = (max(column) for column in zip(*speeds, strict=True))
        ratio = f"{drafted / without:.2f}"
        print(f"| {width} at once | 0.0 | | {without:.0f} | {drafted:.0f} | {ratio} |")
    for engine in engines:
        await engine.stop()


if __name__ == "__main__":
    asyncio.run(main())
