"""A deployment's limits in the document, and what the extension keys may say."""

import copy
from typing import Any

import pytest

from app.document import fold, limit_names, load_document
from app.document_features import select
from tests.documents import LIMITS, USUAL, documents, mappings, request_fields

WRITTEN = select(load_document(), ())
FOLDED = documents()
FIELDS = dict(request_fields(WRITTEN))
ALIASES = {name: field for name, field in FIELDS.items() if "x-alias-of" in field}
# What may differ between two spellings of a field.
OWN_KEYS = {
    "default",
    "description",
    "exclusiveMinimum",
    "x-advised",
    "x-alias-of",
    "x-cap-from",
    "x-implies",
    "x-maximum-from",
    "x-zero-means",
}


def _target(name: str) -> str:
    *parents, _ = name.split(".")
    return ".".join([*parents, ALIASES[name]["x-alias-of"]])


def test_limit_names_are_those_that_folding_needs() -> None:
    assert limit_names(WRITTEN) == USUAL.keys()


@pytest.mark.parametrize("name", sorted(USUAL))
def test_a_missing_limit_is_named(name: str) -> None:
    limits = {key: value for key, value in USUAL.items() if key != name}
    with pytest.raises(ValueError, match=f"limits are missing: {name}"):
        fold(WRITTEN, limits)


def test_a_limit_below_the_minimum_of_its_field_is_refused() -> None:
    with pytest.raises(ValueError, match="max_iter_times: must be at least 1, not 0"):
        fold(WRITTEN, USUAL | {"max_iter_times": 0})


def test_folding_leaves_its_argument_alone_and_can_be_repeated() -> None:
    before = copy.deepcopy(WRITTEN)
    folded = fold(WRITTEN, USUAL)
    assert before == WRITTEN
    assert fold(folded, USUAL) == folded


@pytest.mark.parametrize("deployment", LIMITS)
def test_a_maximum_is_the_smaller_of_the_limit_and_the_type(deployment: str) -> None:
    written, folded = mappings(WRITTEN), mappings(FOLDED[deployment])
    checked = 0
    for before, after in zip(written, folded, strict=False):
        if "x-maximum-from" in before:
            limit = LIMITS[deployment][before["x-maximum-from"]]
            assert isinstance(limit, int)
            assert after["maximum"] == min(limit, before["maximum"])
            assert after["x-maximum-from"] == before["x-maximum-from"]
            checked += 1
    assert checked >= 6


@pytest.mark.parametrize("deployment", LIMITS)
def test_a_list_has_no_more_items_than_the_limit_nor_has_its_example(deployment: str) -> None:
    limit = LIMITS[deployment]["max_iter_times"]
    assert isinstance(limit, int)
    lists = [node for node in mappings(FOLDED[deployment]) if "x-max-items-from" in node]

    assert {node["maxItems"] for node in lists} == {min(limit, 2**31 - 1)}
    examples = [len(node["example"]) for node in lists if "example" in node]
    assert max(examples) == min(2, limit)


@pytest.mark.parametrize("deployment", LIMITS)
def test_a_default_above_its_new_maximum_is_lowered(deployment: str) -> None:
    field = dict(request_fields(FOLDED[deployment]))["parameters.max_new_tokens"]
    default = FIELDS["parameters.max_new_tokens"]["default"]
    assert field["default"] == min(default, field["maximum"])


def test_numbers_in_named_examples_are_lowered_and_nothing_else_is() -> None:
    examples = FOLDED["tiny"]["components"]["examples"]
    before = WRITTEN["components"]["examples"]["Sampling"]["value"]
    after = copy.deepcopy(before)
    after["parameters"]["max_new_tokens"] = LIMITS["tiny"]["max_iter_times"]
    assert examples["Sampling"]["value"] == after
    assert FOLDED["usual"]["components"]["examples"]["Sampling"]["value"] == before


def test_examples_name_the_model_that_is_served() -> None:
    parameters = FOLDED["usual"]["components"]["parameters"]
    assert parameters["ModelName"]["example"] == USUAL["model_name"]
    assert parameters["ModelVersion"]["example"] == USUAL["model_version"]
    answer = FOLDED["usual"]["components"]["examples"]["Text"]["value"]
    assert answer["model_name"] == USUAL["model_name"]
    assert answer["model_version"] is None


@pytest.mark.parametrize("name", ALIASES)
def test_another_spelling_has_the_bounds_of_its_field_and_no_default(name: str) -> None:
    alias, field = dict(ALIASES[name]), dict(FIELDS[_target(name)])
    assert "default" not in alias  # clients made from the document send defaults unasked
    for own in OWN_KEYS:
        alias.pop(own, None)
        field.pop(own, None)
    assert alias == field


def test_another_spelling_never_stands_for_another_spelling() -> None:
    assert not any("x-alias-of" in FIELDS[_target(name)] for name in ALIASES)


def test_one_field_alone_is_lowered_to_its_limit_as_the_pages_say() -> None:
    capped = {name for name, field in FIELDS.items() if "x-cap-from" in field}
    assert capped == {"max_tokens", "parameters.max_tokens"}


def test_extension_keys_are_those_that_the_document_explains() -> None:
    known = {
        "x-maximum-from", "x-example-from", "x-cap-from", "x-alias-of", "x-implies",
        "x-zero-means", "x-ignored", "x-as-list", "x-keys", "x-event-schema",
        "x-only-item", "x-moves-to", "x-only-with", "x-unread", "x-also-json",
        "x-empty-is-absent", "x-max-items-from", "x-unbounded", "x-advised",
        "x-max-names", "x-max-name-length",
    }  # fmt: skip
    nodes = mappings(load_document())
    used: set[Any] = {key for node in nodes for key in node if key.startswith("x-")}
    assert used == known
