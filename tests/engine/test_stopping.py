import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.stopping import StopMatcher


def run(stops: tuple[str, ...], pieces: list[str]) -> tuple[str, bool]:
    """All that is shown of the pieces, and whether a stop string ended the text."""
    matcher = StopMatcher(stops)
    shown = ""
    for piece in pieces:
        text, is_stopped = matcher.add(piece)
        shown += text
        if is_stopped:
            return shown, True
    return shown + matcher.finish(), False


@pytest.mark.parametrize(
    ("stops", "text", "expected"),
    [
        (("DEFGHIJ",), "ABCDEFGHIJKL", ("ABC", True)),
        (("aab",), "aaab", ("a", True)),
        (("abab",), "abacabab", ("abac", True)),
        (("xyz", "yz"), "wxyz", ("w", True)),
        (("b", "abc"), "abc", ("a", True)),
        (("\n\n",), "one\ntwo\n", ("one\ntwo\n", False)),
        (("好天",), "今天天气很好天", ("今天天气很", True)),
        ((), "anything", ("anything", False)),
    ],
)
def test_text_is_cut_before_the_stop_string_however_it_arrives(
    stops: tuple[str, ...], text: str, expected: tuple[str, bool]
) -> None:
    assert run(stops, list(text)) == expected


def test_nothing_that_may_become_a_stop_string_is_shown() -> None:
    matcher = StopMatcher(("STOP",))
    assert matcher.add("go ST") == ("go ", False)
    assert matcher.add("O") == ("", False)
    assert matcher.add("RM ST") == ("STORM ", False)
    assert matcher.finish() == "ST"


@given(
    stops=st.lists(st.text("ab", min_size=1, max_size=4), max_size=3).map(tuple),
    pieces=st.lists(st.text("abc", max_size=3), max_size=12),
)
def test_no_stop_string_is_ever_shown_and_nothing_else_is_lost(
    stops: tuple[str, ...], pieces: list[str]
) -> None:
    text = "".join(pieces)
    shown, is_stopped = run(stops, pieces)
    assert text.startswith(shown)
    assert is_stopped == any(stop in text for stop in stops)
    assert not any(stop in shown for stop in stops)
    if not is_stopped:
        assert shown == text
