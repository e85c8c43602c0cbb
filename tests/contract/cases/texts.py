"""`text_input`, `id`, and what else stands at top level."""

import json
import re

from tests.contract.cases.case import Case, bad, bad_member, good, good_member

LONGEST = 524288  # characters
PROMPT_TOKENS = 256  # of the tiny model
TOO_LONG = re.compile(
    r"text_input: has (\d+) tokens, and at most 256 are allowed"
    r" \(max_seq_len less max_iter_times, and no more than the model's 256 positions\)"
)


def text(value: object) -> str:
    return json.dumps({"text_input": value, "max_tokens": 2}, ensure_ascii=False)


CASES: list[Case] = [
    good("a blank", text(" ")),
    good("a line feed", text("\n")),
    good("zero width space", text("\u200b")),
    good("byte order mark as text", text("\ufeff")),
    good("a NUL character", r'{"text_input":"a\u0000b"}'),
    good("Chinese", text("今天天气很好")),
    good("Arabic, Hindi, Thai", text("مرحبا नमस्ते สวัสดี")),
    good("an emoji of several characters", text("👩\u200d👩\u200d👧 🇨🇳")),
    good("right to left marks", text("\u202eabc\u202c")),
    good("special tokens as text", text("<s></s><pad>")),
    good("markup", text("<script>alert(1)</script>")),
    good("templates", text("{{ config }} ${jndi:ldap://x} %s %n")),
    good("as many tokens as allowed", text("<s>" * PROMPT_TOKENS)),
    bad("one token more", text("<s>" * (PROMPT_TOKENS + 1)), TOO_LONG),
    bad("too many tokens", text("é中😀" * 1000), TOO_LONG),
    bad("the longest text", text("a" * LONGEST), TOO_LONG),
    bad(
        "too many characters",
        text("a" * (LONGEST + 1)),
        "text_input: must have at most 524288 characters",
    ),
    bad(
        "too many emoji",
        text("😀" * (LONGEST + 1)),
        "text_input: must have at most 524288 characters",
    ),
    bad("no characters", text(""), "text_input: must have at least 1 character"),
    bad("null text", text(None), "text_input: must be a string or a list"),
    bad("a number", text(1), "text_input: must be a string or a list"),
    bad("true", text(True), "text_input: must be a string or a list"),
    bad("an object", text({"text": "a"}), "text_input: must be a string or a list"),
    good("a list of one", text(["hi"])),
    bad("a list of a number", text([1]), "text_input[0]: must be a string"),
    bad("an empty list", text([]), "text_input: must have at least 1 item"),
    bad("a list of two", text(["a", "b"]), "text_input: must have at most 1 item"),
    bad("another name", '{"prompt":"a"}', "text_input: is required"),
    bad("another case", '{"Text_Input":"a"}', "text_input: is required"),
    good_member('"id":"a123"'),
    good_member('"id":null'),
    good_member('"id":" "'),
    good_member(r'"id":"a\"b\nc\u0000"'),
    good_member('"id":"中文 😀"'),
    good_member('"id":"%s"' % ("i" * 256)),
    good_member('"id":"%s"' % ("i" * 257)),
    bad_member('"id":""', "id: must have at least 1 character"),
    bad_member('"id":7', "id: must be a string"),
    bad_member('"id":false', "id: must be a string"),
    bad_member('"id":["a"]', "id: must be a string"),
    good_member('"parameters":{}'),
    good_member('"parameters":null'),
    bad_member('"parameters":[]', "parameters: must be an object"),
    bad_member('"parameters":""', "parameters: must be an object"),
    bad_member('"parameters":false', "parameters: must be an object"),
    bad_member('"parameters":0', "parameters: must be an object"),
    bad_member('"parameters":"{}"', "parameters: must be an object"),
    good_member('"foo":1', ignored="foo"),
    good_member('"foo":null', ignored="foo"),
    good_member('"":1', ignored="%22%22"),
    good_member('"details":true', ignored="details"),
    good_member('"perf_stat":true', ignored="perf_stat"),
    good_member('"watermark":true', ignored="watermark"),
    good_member('"a.b":{"c":[1,{"d":2}]}', ignored="a.b"),
    good_member('"a,b\\r\\nX: y":1', ignored="a%2Cb%0D%0AX%3A%20y"),
    good_member('"é":1', ignored="%C3%A9"),
    good_member('"%s":1' % ("n" * 200), ignored="n" * 64),
    good_member(
        ",".join(f'"f{number}":{number}' for number in range(30)),
        ignored=", ".join(f"f{number}" for number in range(20)),
    ),
    good_member(
        '"stream":false,"foo":1,"parameters":{"ignore_eos":false,"bar":"y"}',
        ignored="stream, foo, parameters.bar",
    ),
    good_member('"parameters":{"é":1}', ignored="parameters.%C3%A9"),
    good_member('"parameters":{"Seed":0}', ignored="parameters.Seed"),
    good_member('"parameters":{"top_P":9}', ignored="parameters.top_P"),
    good_member('"parameters":{"parameters":{"seed":0}}', ignored="parameters.parameters"),
    good_member('"parameters":{"text_input":1}', ignored="parameters.text_input"),
]
