"""Every parameter of the interface at its bounds and just outside, and in wrong types."""

import re

from tests.contract.cases.case import Case, bad_parameter, good_parameter

TOO_LARGE = "a number is too large"
FLAGS = ("details", "do_sample", "watermark", "perf_stat")
INTEGERS = ("max_new_tokens", "seed", "top_k", "batch_size")
NUMBERS = ("repetition_penalty", "temperature", "top_p", "typical_p")
NOT_FLAGS = ("0", "1", '"true"', '"yes"', "[]", "{}")
NOT_INTEGERS = ("1.0", "1.5", "2e1", "true", '"5"', "[]", "{}")
NOT_NUMBERS = ("true", '"1"', "[]", "{}")


def inside(name: str, *values: str) -> list[Case]:
    return [good_parameter(f'"{name}":{value}') for value in values]


def outside(name: str, problem: str, *values: str) -> list[Case]:
    return [bad_parameter(f'"{name}":{value}', f"parameters.{name}: {problem}") for value in values]


def refused_unread(name: str) -> list[Case]:
    return [
        bad_parameter(f'"{name}":NaN', "NaN is not JSON"),
        bad_parameter(f'"{name}":Infinity', "Infinity is not JSON"),
        bad_parameter(f'"{name}":1e999', TOO_LARGE),
    ]


CASES: list[Case] = [
    *(case for name in FLAGS for case in inside(name, "true", "false", "null")),
    *(case for name in FLAGS for case in outside(name, "must be a boolean", *NOT_FLAGS)),
    *(case for name in (*INTEGERS, *NUMBERS) for case in inside(name, "null")),
    *(case for name in INTEGERS for case in outside(name, "must be an integer", *NOT_INTEGERS)),
    *(case for name in NUMBERS for case in outside(name, "must be a number", *NOT_NUMBERS)),
    *(case for name in NUMBERS for case in refused_unread(name)),
    #
    *inside("max_new_tokens", "1", "128"),
    *outside("max_new_tokens", "must be at least 1", "0", "-1", "-2147483649"),
    *outside(
        "max_new_tokens", "must be at most 128", "129", "2147483647", "2147483648", f"1{'0' * 30}"
    ),
    *outside("max_new_tokens", "must be an integer", "5.5", "1e-1", "128.0"),
    bad_parameter(f'"max_new_tokens":1{"0" * 400}', TOO_LARGE),
    #
    *inside("seed", "1", "1000000000000000", "9007199254740993", "9223372036854775807"),
    *inside("seed", "9223372036854775808", "18446744073709551615"),
    *outside("seed", "must be at least 1", "0", "-1", "-9223372036854775808"),
    *outside("seed", "must be at most 18446744073709551615", "18446744073709551616", "9" * 300),
    *outside("seed", "must be an integer", "1e18", "18446744073709551615.0"),
    bad_parameter(f'"seed":{"9" * 5000}', TOO_LARGE),
    #
    *inside("top_k", "0", "1", "398", "399"),
    *outside("top_k", "must be at least 0", "-1"),
    *outside("top_k", "must be at most 399", "400", "401", "9999999", "2147483647", "2147483648"),
    *outside("top_k", "must be at most 399", "9223372036854775808"),
    good_parameter('"do_sample":true,"top_k":399'),
    good_parameter('"do_sample":true,"top_k":1'),
    #
    *inside("batch_size", "1", "100", "2147483647"),
    *outside("batch_size", "must be at least 1", "0", "-1"),
    *outside("batch_size", "must be at most 2147483647", "2147483648"),
    #
    *inside("temperature", "1", "1.0", "0.001", "2", "5e-324", "1e308", "1e-6"),
    *outside("temperature", "must be greater than 0", "0", "0.0", "-0.0", "-1", "1e-400"),
    *(
        good_parameter(f'"do_sample":true,"temperature":{value}')
        for value in ("1e-3", "1e-6", "1e-38", "5e-324", "1e-45", "1e30", "1e308")
    ),
    bad_parameter('"temperature":-Infinity', "-Infinity is not JSON"),
    bad_parameter(f'"temperature":1{"0" * 400}', TOO_LARGE),
    #
    *inside("top_p", "1", "1.0", "0.9", "1e-9", "5e-324", "0.9999999999999999"),
    *outside("top_p", "must be greater than 0", "0", "0.0", "-0.0", "-0.1", "1e-400"),
    *outside("top_p", "must be at most 1", "1.0000000000000002", "1.5", "2", "1e300"),
    good_parameter('"do_sample":true,"top_p":5e-324'),
    #
    *inside("typical_p", "1", "1.0", "0.5", "5e-324"),
    *outside("typical_p", "must be greater than 0", "0", "-1", "-1.0"),
    *outside("typical_p", "must be at most 1", "1.0000000000000002", "2"),
    good_parameter('"do_sample":true,"typical_p":5e-324'),
    #
    *inside("repetition_penalty", "1", "1.1", "0.5", "1000", "5e-324", "1e308"),
    *outside("repetition_penalty", "must be greater than 0", "0", "-0.0", "-1"),
    #
    good_parameter(
        '"details":true,"do_sample":true,"max_new_tokens":20,"repetition_penalty":1.1,"seed":123,'
        '"temperature":1,"top_k":10,"top_p":0.99,"batch_size":100,"typical_p":0.5,'
        '"watermark":false,"perf_stat":false'
    ),
    good_parameter('"do_sample":true,"watermark":true,"perf_stat":true,"details":true'),
    bad_parameter('"top_p":2,"top_k":-1', re.compile(r"parameters\.top_[pk]: must be .*")),
]
