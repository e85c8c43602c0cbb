"""Strict JSON: what is taken means what every other reader takes it for."""

import json
import math
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.strict_json import (
    MAX_DEPTH,
    MAX_INTEGER_DIGITS,
    MAX_VALUES,
    StrictJSONError,
    parse_strict_json,
)

JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=20,
)

REFUSED = {
    "nothing": (b"", "the body is required"),
    "white space alone": (b"  \n", "Expecting value (line 2, column 1)"),
    "byte order mark": (b'\xef\xbb\xbf{"a":1}', "the body starts with a byte order mark"),
    "not UTF-8": (b'{"a":"\xff"}', "the body is not UTF-8 (byte 6)"),
    "UTF-16": ('{"a":1}'.encode("utf-16"), "the body is not UTF-8 (byte 0)"),
    "surrogate in UTF-8": (b'"\xed\xa0\x80"', "the body is not UTF-8 (byte 1)"),
    "NaN": (b'{"a":NaN}', "NaN is not JSON"),
    "Infinity": (b'{"a":Infinity}', "Infinity is not JSON"),
    "minus Infinity": (b'{"a":-Infinity}', "-Infinity is not JSON"),
    "1e999": (b'{"a":1e999}', "a number is too large"),
    "-1e999": (b'{"a":-1e999}', "a number is too large"),
    "5000 digits": (b"9" * 5000, "a number is too large"),
    "10^400": (b"1" + b"0" * 400, "a number is too large"),
    "duplicate name": (b'{"a":1,"b":{"c":1,"c":1}}', "duplicate name 'c'"),
    "duplicate name, escaped": (b'{"a":1,"\\u0061":1}', "duplicate name 'a'"),
    "long duplicate name": (
        b'{"%b":1,"%b":1}' % (b"n" * 9999, b"n" * 9999),
        "duplicate name '" + "n" * 32 + "...'",
    ),
    "lone high surrogate": (b'["\\ud800"]', "a string has a lone surrogate"),
    "lone low surrogate": (b'{"a":"x\\uDC00"}', "a string has a lone surrogate"),
    "surrogates in the wrong order": (b'"\\ude00\\ud83d"', "a string has a lone surrogate"),
    "lone surrogate in a name": (b'{"a":{"\\udfff":1}}', "a string has a lone surrogate"),
    "raw control character": (b'"a\x00"', "Invalid control character (line 1, column 3)"),
    "trailing data": (b"{} {}", "Extra data (line 1, column 4)"),
    "truncated": (b'{"a":"b', "Unterminated string starting (line 1, column 6)"),
    "trailing comma": (b"[1,]", "Expecting value (line 1, column 4)"),
    "single quotes": (
        b"{'a':1}",
        "Expecting property name enclosed in double quotes (line 1, column 2)",
    ),
    "leading zero": (b"01", "Extra data (line 1, column 2)"),
    "plus": (b"+1", "Expecting value (line 1, column 1)"),
    "very deep lists": (b"[" * 100_000 + b"]" * 100_000, "the body is nested too deeply"),
    "very deep objects": (b'{"a":' * 50_000, "the body is nested too deeply"),
    "open lists without end": (b"[" * 6_000_000, "the body has too many values"),
    "many objects": (b'[{"":0}' + b',{"":0}' * 900_000 + b"]", "the body has too many values"),
}

TAKEN = {
    "NUL escape": (b'"a\\u0000b"', "a\0b"),
    "surrogate pair": (b'"\\ud83d\\ude00"', "\N{GRINNING FACE}"),
    "raw emoji": ('"😀"'.encode(), "😀"),
    "escaped backslash before u": (b'"\\\\ud800"', "\\ud800"),
    "white space around": (b' \t\r\n{"a" : 1 }\n', {"a": 1}),
    "uint64": (b"18446744073709551615", 2**64 - 1),
    "zeros in a number": (b"1e-400", 0.0),
    "same name in two objects": (b'[{"a":1},{"a":2}]', [{"a": 1}, {"a": 2}]),
    "no object at all": (b"null", None),
}


@pytest.mark.parametrize(("raw", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_strict_json_is_refused(raw: bytes, message: str) -> None:
    with pytest.raises(StrictJSONError) as caught:
        parse_strict_json(raw)
    assert str(caught.value) == message


@pytest.mark.parametrize(("raw", "value"), TAKEN.values(), ids=TAKEN.keys())
def test_what_is_strict_json_is_taken(raw: bytes, value: object) -> None:
    assert parse_strict_json(raw) == value


@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_depth_is_limited_to_the_level(opening: bytes, closing: bytes) -> None:
    deepest = opening * (MAX_DEPTH - 1) + b"[]" + closing * (MAX_DEPTH - 1)
    parse_strict_json(deepest)
    with pytest.raises(StrictJSONError, match="nested too deeply"):
        parse_strict_json(opening + deepest + closing)


def test_brackets_in_strings_are_no_depth_and_no_values() -> None:
    text = '[{,\\"' * MAX_VALUES
    assert parse_strict_json(json.dumps(text).encode()) == text


def test_the_number_of_values_is_limited() -> None:
    assert parse_strict_json(b"[1" + b",1" * (MAX_VALUES - 1) + b"]") == [1] * MAX_VALUES
    with pytest.raises(StrictJSONError, match="too many values"):
        parse_strict_json(b"[1" + b",1" * MAX_VALUES + b"]")


def test_an_integer_has_as_many_digits_as_a_float_can_hold() -> None:
    assert parse_strict_json(b"9" * MAX_INTEGER_DIGITS) == 10**MAX_INTEGER_DIGITS - 1
    assert math.isfinite(float("9" * MAX_INTEGER_DIGITS))
    with pytest.raises(StrictJSONError, match="too large"):
        parse_strict_json(b"9" * (MAX_INTEGER_DIGITS + 1))


@settings(max_examples=50)
@given(JSON_VALUES)
def test_json_means_what_it_says(value: object) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        assert parse_strict_json(text.encode()) == value


@given(st.binary() | st.text().map(lambda text: json.dumps(text)[:-2].encode()))
def test_any_bytes_are_either_json_or_refused(raw: bytes) -> None:
    try:
        value = parse_strict_json(raw)
    except StrictJSONError:
        return
    assert value == json.loads(raw)


@settings(deadline=None)
@given(
    JSON_VALUES.map(lambda value: json.dumps(value, ensure_ascii=False).encode()),
    st.integers(0, 200),
    st.integers(0, 3),
    st.sampled_from(
        [b"", b'"', b"{", b"]", b",", b":", b"\\", b"1e9", b"-", b"\xff", b"\x00", b"NaN"]
    )
    | st.binary(max_size=3),
)
def test_json_with_a_fault_is_refused_or_means_what_others_read(
    raw: bytes, place: int, num_removed: int, added: bytes
) -> None:
    damaged = raw[:place] + added + raw[place + num_removed :]
    try:
        value = parse_strict_json(damaged)
    except StrictJSONError as error:
        problem = str(error)
    else:
        assert value == json.loads(damaged)
        assert json.loads(json.dumps(value, allow_nan=False)) == value
        return
    assert 0 < len(problem) < 200
    assert problem.isprintable()


@pytest.mark.parametrize("character", ["a", "中", "😀", '"', "\\", ","])
def test_the_longest_text_is_read_in_a_moment(character: str) -> None:
    raw = json.dumps(character * 524288).encode()
    start = time.process_time()
    assert parse_strict_json(raw) == character * 524288
    assert time.process_time() - start < 1  # tens of milliseconds, however busy the machine is
