"""Bodies that are JSON, nearly JSON, or nothing of the kind."""

import re

from tests.contract.cases.case import Case, bad, good

TOO_DEEP = "the body is nested too deeply"
TOO_LARGE = "a number is too large"
TEXT = '"text_input":"a"'


def nested(depth: int) -> str:
    """An unknown field that many levels deep, itself counted."""
    return f'{{{TEXT},"x":{"[" * (depth - 1)}{"]" * (depth - 1)}}}'


CASES: list[Case] = [
    good("white space around", ' \t\r\n{ "text_input" : "a" }\r\n\t '),
    good("escaped characters", r'{"text_input":"\u4e2d\ud83d\ude00\"\\\/\b\f\n\r\t"}'),
    good("escaped field name", r'{"text\u005finput":"a"}'),
    good("no-break space and BOM inside a string", '{"text_input":"\ufeff\xa0"}'),
    good("noncharacters", r'{"text_input":"\uffff\ufffe\ud83f\udffe"}'),
    good("depth 32", nested(32), ignored="x"),
    bad("depth 33", nested(33), TOO_DEEP),
    bad("depth 900", nested(900), TOO_DEEP),
    bad("100000 lists", "[" * 100_000 + "]" * 100_000, TOO_DEEP),
    bad("100000 objects", '{"a":' * 100_000 + "1" + "}" * 100_000, TOO_DEEP),
    bad("100000 open lists", "[" * 100_000, TOO_DEEP),
    bad(
        "deep inside parameters",
        f'{{{TEXT},"parameters":{{"x":{"[" * 50_000}{"]" * 50_000}}}}}',
        TOO_DEEP,
    ),
    bad("deep unknown field", f'{{{TEXT},"x":{"[" * 50_000}{"]" * 50_000}}}', TOO_DEEP),
    bad("empty", "", "the body is required"),
    bad("white space only", "   ", "Expecting value (line 1, column 4)"),
    bad("null", "null", "the body must be an object"),
    bad("true", "true", "the body must be an object"),
    bad("a number", "1", "the body must be an object"),
    bad("a string", '"text_input"', "the body must be an object"),
    bad("a list", "[]", "the body must be an object"),
    bad("a list with the body", '[{"text_input":"a"}]', "the body must be an object"),
    bad("empty object", "{}", "text_input: is required"),
    bad("a form", "text_input=a", "Expecting value (line 1, column 1)"),
    bad("truncated", '{"text_input":"a', "Unterminated string starting (line 1, column 15)"),
    bad("truncated after a name", '{"text_input"', "Expecting ':' delimiter (line 1, column 14)"),
    bad("truncated escape", r'{"text_input":"\u12"}', "Invalid \\uXXXX escape (line 1, column 17)"),
    bad("unknown escape", r'{"text_input":"\x41"}', "Invalid \\escape (line 1, column 16)"),
    bad("trailing data", '{"text_input":"a"}x', "Extra data (line 1, column 19)"),
    bad("two bodies", '{"text_input":"a"}{"text_input":"b"}', "Extra data (line 1, column 19)"),
    bad("trailing NUL", b'{"text_input":"a"}\0', "Extra data (line 1, column 19)"),
    bad("trailing comma", '{"text_input":"a",}', re.compile(r".*\(line 1, column \d+\)")),
    bad("single quotes", "{'text_input':'a'}", re.compile(r"Expecting .*\(line 1, column 2\)")),
    bad("a comment", '{/**/"text_input":"a"}', re.compile(r"Expecting .*\(line 1, column 2\)")),
    bad("bare name", '{text_input:"a"}', re.compile(r"Expecting .*\(line 1, column 2\)")),
    bad("line separator as white space", '\u2028{"text_input":"a"}', re.compile("Expecting.*")),
    bad("no-break space", '\xa0{"text_input":"a"}', "Expecting value (line 1, column 1)"),
    bad("raw NUL", b'{"text_input":"a\0b"}', "Invalid control character (line 1, column 17)"),
    bad("raw 0x01", b'{"text_input":"\x01"}', "Invalid control character (line 1, column 16)"),
    bad("raw line feed", '{"text_input":"a\nb"}', "Invalid control character (line 1, column 17)"),
    bad("byte order mark", b'\xef\xbb\xbf{"text_input":"a"}', re.compile(".*byte order mark")),
    bad("bytes ff fe", b'{"text_input":"\xff\xfe"}', "the body is not UTF-8 (byte 15)"),
    bad("half a character", b'{"text_input":"\xe4\xb8"}', "the body is not UTF-8 (byte 15)"),
    bad("overlong slash", b'{"text_input":"\xc0\xaf"}', "the body is not UTF-8 (byte 15)"),
    bad("past Unicode", b'{"text_input":"\xf5\x80\x80\x80"}', "the body is not UTF-8 (byte 15)"),
    bad("surrogate in UTF-8", b'{"text_input":"\xed\xa0\x80"}', "the body is not UTF-8 (byte 15)"),
    bad("latin-1", '{"text_input":"é"}'.encode("latin-1"), "the body is not UTF-8 (byte 15)"),
    bad(
        "UTF-16 with mark", '{"text_input":"a"}'.encode("utf-16"), "the body is not UTF-8 (byte 0)"
    ),
    bad("UTF-16", '{"text_input":"a"}'.encode("utf-16-le"), re.compile("Expecting.*")),
    bad("gzip without saying so", b"\x1f\x8b\x08\0\0\0\0\0", "the body is not UTF-8 (byte 1)"),
    bad("lone high surrogate", r'{"text_input":"\ud800"}', "a string has a lone surrogate"),
    bad("lone low surrogate", r'{"text_input":"\udc00a"}', "a string has a lone surrogate"),
    bad("surrogates reversed", r'{"text_input":"\ude00\ud83d"}', "a string has a lone surrogate"),
    bad("surrogate in a name", f'{{{TEXT},"\\ud800":1}}', "a string has a lone surrogate"),
    bad("surrogate in id", f'{{{TEXT},"id":"\\ud800"}}', "a string has a lone surrogate"),
    bad("surrogate inside", f'{{{TEXT},"x":[{{"y":"\\udfff"}}]}}', "a string has a lone surrogate"),
    bad("duplicate text", f'{{{TEXT},"text_input":"b"}}', "duplicate name 'text_input'"),
    bad("duplicate, one invalid", f'{{"text_input":1,{TEXT}}}', "duplicate name 'text_input'"),
    bad("duplicate in parameters", '{"parameters":{"seed":1,"seed":1}}', "duplicate name 'seed'"),
    bad("duplicate by escape", f'{{{TEXT},"text\\u005finput":""}}', "duplicate name 'text_input'"),
    bad(
        "duplicate long name",
        f'{{"{"n" * 999}":1,"{"n" * 999}":2}}',
        re.compile("duplicate name .*"),
    ),
    bad("duplicate unknown", f'{{{TEXT},"é":1,"é":2}}', r"duplicate name '\xe9'"),
    bad("duplicate empty name", f'{{{TEXT},"":1,"":2}}', "duplicate name ''"),
    bad("NaN at top level", f'{{{TEXT},"temperature":NaN}}', "NaN is not JSON"),
    bad("Infinity", f'{{{TEXT},"x":Infinity}}', "Infinity is not JSON"),
    bad("minus Infinity", f'{{{TEXT},"x":-Infinity}}', "-Infinity is not JSON"),
    bad("1e999", f'{{{TEXT},"x":1e999}}', TOO_LARGE),
    bad("minus 1e400", f'{{{TEXT},"x":-1e400}}', TOO_LARGE),
    bad("5000 digits", f'{{{TEXT},"x":{"9" * 5000}}}', TOO_LARGE),
    bad("a million digits", f'{{{TEXT},"x":{"9" * 1_000_000}}}', TOO_LARGE),
    bad("10^400", f'{{{TEXT},"x":1{"0" * 400}}}', TOO_LARGE),
    bad("5000 digits before a point", f'{{{TEXT},"x":{"9" * 5000}.0}}', TOO_LARGE),
    good("5000 digits after a point", f'{{{TEXT},"x":0.{"9" * 5000}}}', ignored="x"),
    bad("leading zero", f'{{{TEXT},"x":01}}', re.compile(r"Expecting ',' delimiter.*")),
    bad("plus sign", f'{{{TEXT},"x":+1}}', re.compile("Expecting value.*")),
    bad("leading point", f'{{{TEXT},"x":.5}}', re.compile("Expecting value.*")),
    bad("trailing point", f'{{{TEXT},"x":5.}}', re.compile("Expecting.*")),
    bad("hexadecimal", f'{{{TEXT},"x":0x1}}', re.compile("Expecting.*")),
    bad("digits of other scripts", f'{{{TEXT},"x":\u0661}}', re.compile("Expecting value.*")),
    bad("too many values", f'{{{TEXT},"x":[{"0," * 300_000}0]}}', "the body has too many values"),
]
