"""Token ids to text, one token at a time, never half a character.

For byte-level and byte-fallback tokenizers, nearly all of today's, tokens are turned into bytes and
an incremental UTF-8 decoder holds back what may still become a character. Bytes that cannot
become one turn into U+FFFD at once, as in Unicode's recommended practice (maximal subparts), so
nothing stalls. A character that is not complete when the text ends is left out. Other tokenizers
decode a short window of tokens again with each new one.
"""

import codecs
import json
import re
from typing import Any, Protocol

_BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>")


class IncrementalDetokenizer(Protocol):
    """The text of one sequence. ``add`` returns new text, ``finish`` what was still held back,
    without a character that is not complete."""

    def add(self, token_id: int) -> str: ...

    def finish(self) -> str: ...


class Detokenizer:
    """Knows how a tokenizer's tokens turn into text; makes one incremental object a sequence."""

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._special_ids = _special_ids(tokenizer)
        self._decoder_types, self._replacements = _decoder_steps(tokenizer)
        self._added: dict[int, bytes] = {
            token_id: str(token).encode()
            for token_id, token in getattr(tokenizer, "added_tokens_decoder", {}).items()
        }

    def start(
        self, prompt_token_ids: tuple[int, ...], skip_special_tokens: bool
    ) -> IncrementalDetokenizer:
        """Begin the text that follows the prompt."""
        skipped = self._special_ids if skip_special_tokens else frozenset()
        if self._has_bytes:
            return _ByteStream(self, skipped)
        return _WindowStream(self._tokenizer, prompt_token_ids, skipped)

    def token_text(self, token_id: int) -> str:
        """A token by itself, as lists of alternatives show it."""
        if self._has_bytes:
            return self.token_bytes(token_id).decode("utf-8", errors="replace")
        return str(self._tokenizer.decode([token_id]))

    def token_bytes(self, token_id: int) -> bytes:
        """The UTF-8 bytes of one token in the middle of a text."""
        if token_id in self._added:
            return self._added[token_id]
        token: str | None = self._tokenizer.convert_ids_to_tokens(token_id)
        if token is None:  # an id of the model's that the tokenizer does not know
            return b""
        if "ByteLevel" in self._decoder_types:
            return _byte_level_bytes(token)
        match = _BYTE_TOKEN.fullmatch(token)
        if match:
            return bytes([int(match[1], 16)])
        for pattern, content in self._replacements:
            token = token.replace(pattern, content)
        return token.encode()

    @property
    def _has_bytes(self) -> bool:
        return bool({"ByteLevel", "ByteFallback"} & self._decoder_types)


class _ByteStream:
    def __init__(self, detokenizer: Detokenizer, skipped: frozenset[int]) -> None:
        self._detokenizer = detokenizer
        self._skipped = skipped
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def add(self, token_id: int) -> str:
        if token_id in self._skipped:
            return ""
        return self._decoder.decode(self._detokenizer.token_bytes(token_id))

    def finish(self) -> str:
        self._decoder.reset()
        return ""


class _WindowStream:
    """Decodes a window that begins at a token boundary whose text is already out.

    The prompt's last tokens open the window, since some tokenizers write the first word of a
    text in another way than the same word in the middle.
    """

    _CONTEXT = 6

    def __init__(
        self, tokenizer: Any, prompt_ids: tuple[int, ...], skipped: frozenset[int]
    ) -> None:
        self._tokenizer = tokenizer
        self._skipped = skipped
        self._window = [token_id for token_id in prompt_ids if token_id not in skipped]
        del self._window[: -self._CONTEXT]
        self._num_shown = len(self._window)

    def add(self, token_id: int) -> str:
        if token_id in self._skipped:
            return ""
        self._window.append(token_id)
        return self._new_text(is_final=False)

    def finish(self) -> str:
        return self._new_text(is_final=True)

    def _new_text(self, is_final: bool) -> str:
        shown = self._decode(self._window[: self._num_shown])
        whole = self._decode(self._window)
        if not is_final and (whole.endswith("�") or not whole.startswith(shown)):
            return ""
        if is_final:
            whole = whole.rstrip("�")
        del self._window[: max(0, self._num_shown - self._CONTEXT)]
        self._num_shown = len(self._window)
        return whole[len(shown) :]

    def _decode(self, token_ids: list[int]) -> str:
        return str(self._tokenizer.decode(token_ids)) if token_ids else ""


def _special_ids(tokenizer: Any) -> frozenset[int]:
    added = getattr(tokenizer, "added_tokens_decoder", {})
    marked = {token_id for token_id, token in added.items() if getattr(token, "special", False)}
    return frozenset(marked | set(tokenizer.all_special_ids))


def _decoder_steps(tokenizer: Any) -> tuple[set[str], list[tuple[str, str]]]:
    """The decoder's step types, and its plain replacements such as a blank for U+2581."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    decoder = json.loads(backend.to_str()).get("decoder") if backend is not None else None
    steps = decoder.get("decoders", [decoder]) if decoder else []
    replacements = []
    for step in steps:
        if step["type"] == "Replace" and "String" in step["pattern"]:
            replacements.append((step["pattern"]["String"], step["content"]))
        if step["type"] == "Metaspace":
            replacements.append((step["replacement"], " "))
    return {step["type"] for step in steps}, replacements


def _byte_table() -> dict[str, int]:
    """GPT-2's printable stand-ins for bytes: printable Latin-1 as it is, the rest from U+0100."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    table = {chr(byte): byte for byte in printable}
    return table | {chr(0x100 + index): byte for index, byte in enumerate(others)}


_BYTE_OF = _byte_table()


def _byte_level_bytes(token: str) -> bytes:
    if all(char in _BYTE_OF for char in token):
        return bytes(_BYTE_OF[char] for char in token)
    return token.encode()
