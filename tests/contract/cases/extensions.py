"""Parameters that are extensions of ours."""

from tests.contract.cases.case import Case, bad_parameter, good_parameter
from tests.contract.cases.parameters import (
    NOT_FLAGS,
    NOT_INTEGERS,
    NOT_NUMBERS,
    inside,
    outside,
    refused_unread,
)

ONE_OR_SEVERAL = "must be a string or a list"


def strings(count: int, length: int = 1) -> str:
    return "[" + ",".join('"' + "x" * length + '"' for _ in range(count)) + "]"


MANY_BIASES = ",".join(f'"k{number}":1' for number in range(1025))

CASES: list[Case] = [
    *inside("stop", "null", '""', '"a"', "[]", '[""]', '["a","b"]', strings(16)),
    *inside("stop", f'"{"x" * 1024}"', strings(1, 1024), '"中"', '"aab"'),
    *outside("stop", "must have at most 16 items", strings(17)),
    *outside("stop", "must have at most 1024 characters", f'"{"x" * 1025}"'),
    bad_parameter(
        f'"stop":{strings(1, 1025)}', "parameters.stop[0]: must have at most 1024 characters"
    ),
    *outside("stop", ONE_OR_SEVERAL, "1", "true", "{}"),
    bad_parameter('"stop":["a",1]', "parameters.stop[1]: must be a string"),
    bad_parameter('"stop":[null]', "parameters.stop[0]: must be a string"),
    #
    *inside("bad_words", "null", '""', '"a"', "[]", '[""]', strings(64)),
    *outside("bad_words", "must have at most 64 items", strings(65)),
    *outside("bad_words", "must have at most 256 characters", f'"{"x" * 257}"'),
    *outside("bad_words", ONE_OR_SEVERAL, "1", "true", "{}"),
    #
    *inside("stop_token_ids", "null", "[]", "[0]", "[399]", "[2,2,2]", str([1] * 64)),
    *outside("stop_token_ids", "must have at most 64 items", str([1] * 65)),
    *outside("stop_token_ids", "must be a list", "1", '"1"', "{}"),
    bad_parameter('"stop_token_ids":[400]', "parameters.stop_token_ids[0]: must be at most 399"),
    bad_parameter('"stop_token_ids":[1,-1]', "parameters.stop_token_ids[1]: must be at least 0"),
    bad_parameter('"stop_token_ids":[1.0]', "parameters.stop_token_ids[0]: must be an integer"),
    bad_parameter('"stop_token_ids":[true]', "parameters.stop_token_ids[0]: must be an integer"),
    bad_parameter('"stop_token_ids":[null]', "parameters.stop_token_ids[0]: must be an integer"),
    #
    *inside("ignore_eos", "true", "false", "null"),
    *inside("skip_special_tokens", "true", "false", "null"),
    *outside("ignore_eos", "must be a boolean", *NOT_FLAGS),
    *outside("skip_special_tokens", "must be a boolean", *NOT_FLAGS),
    #
    *inside("min_p", "0", "-0.0", "0.05", "1", "1.0", "null"),
    *outside("min_p", "must be at least 0", "-0.1"),
    *outside("min_p", "must be at most 1", "1.0000000000000002"),
    *outside("min_p", "must be a number", *NOT_NUMBERS),
    *refused_unread("min_p"),
    *(
        case
        for name in ("presence_penalty", "frequency_penalty")
        for case in (
            *inside(name, "-2", "2", "-2.0", "0", "null"),
            *outside(name, "must be at least -2", "-2.0000000000000004"),
            *outside(name, "must be at most 2", "2.0000000000000004"),
            *outside(name, "must be a number", "true", '"1"'),
        )
    ),
    #
    *inside("logit_bias", "{}", "null", '{"0":1}', '{"399":-100,"2":100.0}'),
    *outside("logit_bias", "must be an object", "[]", "1", '""'),
    bad_parameter('"logit_bias":{"1":101}', "parameters.logit_bias[1]: must be at most 100"),
    bad_parameter('"logit_bias":{"1":-100.1}', "parameters.logit_bias[1]: must be at least -100"),
    bad_parameter('"logit_bias":{"1":true}', "parameters.logit_bias[1]: must be a number"),
    bad_parameter('"logit_bias":{"1":null}', "parameters.logit_bias[1]: must be a number"),
    good_parameter('"logit_bias":{"400":1}', ignored="parameters.logit_bias.400"),
    good_parameter('"logit_bias":{"-1":1}', ignored="parameters.logit_bias.-1"),
    good_parameter('"logit_bias":{"01":1}', ignored="parameters.logit_bias.01"),
    good_parameter('"logit_bias":{"Paris":1}', ignored="parameters.logit_bias.Paris"),
    good_parameter('"logit_bias":{"1.0":1,"5":1}', ignored="parameters.logit_bias.1.0"),
    good_parameter('"logit_bias":{"\u0661":1}', ignored="parameters.logit_bias.%D9%A1"),
    bad_parameter(
        f'"logit_bias":{{{MANY_BIASES}}}',
        "parameters.logit_bias: must have at most 1024 members",
    ),
    #
    *inside("min_new_tokens", "0", "1", "20", "128", "null"),
    *outside("min_new_tokens", "must be at least 0", "-1"),
    *outside("min_new_tokens", "must be at most 128", "129"),
    *outside("min_new_tokens", "must be an integer", *NOT_INTEGERS),
    #
    *inside("logprobs", "0", "1", "20", "null"),
    *outside("logprobs", "must be at least 0", "-1"),
    *outside("logprobs", "must be at most 20", "21"),
    *outside("logprobs", "must be an integer", *NOT_INTEGERS),
    good_parameter('"logprobs":20,"details":true,"do_sample":true'),
    good_parameter('"logprobs":3,"details":true,"logit_bias":{"2":-100}'),
    #
    *inside("priority", "1", "5", "null"),
    *outside("priority", "must be at least 1", "0"),
    *outside("priority", "must be at most 5", "6"),
    *outside("priority", "must be an integer", *NOT_INTEGERS),
    #
    *inside("timeout", "3600", "3600.0", "60", "null"),
    *outside("timeout", "must be at least 0.001", "0", "0.0009", "-1"),
    *outside("timeout", "must be at most 3600", "3600.1"),
    *outside("timeout", "must be a number", "true", '"1"'),
    *refused_unread("timeout"),
]
