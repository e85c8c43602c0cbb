"""From a completed body to what the engine is asked to do."""

from handlers.request import to_request
from tests.handlers.bodies import complete

EVERYTHING = """{"text_input":"hi","parameters":{"do_sample":true,"temperature":2,"top_k":3,
    "top_p":0.4,"typical_p":0.5,"min_p":0.6,"repetition_penalty":7,"presence_penalty":-1,
    "frequency_penalty":2,"logit_bias":{"5":-1,"6":2},"bad_words":["a"],
    "seed":18446744073709551615,"watermark":true,"max_new_tokens":8,"min_new_tokens":9,"stop":"x",
    "stop_token_ids":[1,2],"ignore_eos":true,"skip_special_tokens":false,"logprobs":4,
    "priority":1}}"""


def test_every_parameter_reaches_the_engine() -> None:
    request = to_request(complete(EVERYTHING), "hi", "fake")

    params = request.sampling_params
    assert (request.prompt, request.model, request.priority) == ("hi", "fake", 1)
    assert {name: getattr(params, name) for name in params.__slots__} == {
        "do_sample": True,
        "temperature": 2.0,
        "top_k": 3,
        "top_p": 0.4,
        "typical_p": 0.5,
        "min_p": 0.6,
        "repetition_penalty": 7.0,
        "presence_penalty": -1.0,
        "frequency_penalty": 2.0,
        "logit_bias": ((5, -1.0), (6, 2.0)),
        "bad_words": ("a",),
        "seed": 18446744073709551615,
        "watermark": True,
        "max_new_tokens": 8,
        "min_new_tokens": 9,
        "stop": ("x",),
        "stop_token_ids": (1, 2),
        "ignore_eos": True,
        "skip_special_tokens": False,
        "logprobs": 4,
    }
    assert isinstance(params.temperature, float)


def test_made_seeds_differ_and_are_exact_in_javascript() -> None:
    payload = complete('{"text_input":"hi","parameters":{"do_sample":true}}')
    seeds = {to_request(payload, "hi", "fake").sampling_params.seed for _ in range(50)}

    assert len(seeds) == 50
    assert all(1 <= seed < 2**53 for seed in seeds)
