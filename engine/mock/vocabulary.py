"""The tokens of the mock: single bytes, pairs of ASCII characters, and words of filler text.

Any text has tokens, and they give back the same text.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

_LATIN = (
    "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut"
    " labore et dolore magna aliqua enim ad minim veniam quis nostrud exercitation ullamco laboris"
    " nisi aliquip ex ea commodo consequat duis aute irure in reprehenderit voluptate velit esse"
    " cillum eu fugiat nulla pariatur excepteur sint occaecat cupidatat non proident sunt culpa qui"
    " officia deserunt mollit anim id est laborum"
)
_CHINESE = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳"
_CHINESE_END = "。"

_PRINTABLE = [bytes([byte]) for byte in range(0x20, 0x7F)]
_LATIN_WORDS = [b" " + word.encode() for word in _LATIN.split()]
_CHINESE_WORDS = [character.encode() for character in _CHINESE + _CHINESE_END]
_TOKENS = [
    b"",  # ends a text
    *(bytes([byte]) for byte in range(256)),
    *(first + second for first in _PRINTABLE for second in _PRINTABLE[1:]),
    *_LATIN_WORDS,
    *_CHINESE_WORDS,
]
_IDS = {token: token_id for token_id, token in enumerate(_TOKENS)}
# A blank belongs to the word after it, so it is never the second of a pair.
_PIECE = re.compile(
    rb" (?:%s)(?![a-z])|%s|[ -~][!-~]|."
    % (b"|".join(sorted(map(bytes.strip, _LATIN_WORDS), reverse=True)), b"|".join(_CHINESE_WORDS)),
    re.DOTALL,
)
_HAN = re.compile("[\u4e00-\u9fff]")

END_ID = 0
NUM_TOKENS = len(_TOKENS)


def encode(text: str) -> tuple[int, ...]:
    return tuple(_IDS[piece] for piece in _PIECE.findall(text.encode()))


def decode(token_ids: Iterable[int]) -> str:
    """Bytes that are no character become U+FFFD."""
    return b"".join(_TOKENS[token_id] for token_id in token_ids).decode(errors="replace")


def offsets(text: str) -> Iterator[tuple[int, int]]:
    """Of each token in characters of the text; tokens within a character overlap."""
    # The character that each byte belongs to: bytes of the form 10xxxxxx begin none.
    characters = [*accumulate(byte & 0xC0 != 0x80 for byte in text.encode())]
    for piece in _PIECE.finditer(text.encode()):
        yield characters[piece.start()] - 1, characters[piece.end() - 1]


def words_like(text: str) -> tuple[Sequence[int], int]:
    """Filler words in the script of a text, and what ends their sentences."""
    if _HAN.search(text):
        return [_IDS[word] for word in _CHINESE_WORDS[:-1]], _IDS[_CHINESE_WORDS[-1]]
    return [_IDS[word] for word in _LATIN_WORDS], _IDS[b"."]
