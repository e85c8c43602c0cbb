"""The byte-level tokenizer described by a GGUF file, built as its authors built it.

GGUF names the splitting rules only by a keyword (``tokenizer.ggml.pre``), so they are written out
here; leaving one out changes the tokens of ordinary text without any error.
"""

from collections.abc import Mapping
from typing import Any

from gguf import TokenType
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from engine.hub.errors import HubError

_QWEN2_WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def build_tokenizer(fields: Mapping[str, Any]) -> Tokenizer:
    """The tokenizer of a GGUF file's metadata. Raises HubError for a kind it does not know."""
    kind, rules = fields["tokenizer.ggml.model"], fields["tokenizer.ggml.pre"]
    if kind != "gpt2" or rules not in ("smollm", "qwen2"):
        raise HubError(
            f"the model file has a tokenizer of an unknown kind ({kind[:32]}/{rules[:32]})"
        )
    tokens, types = fields["tokenizer.ggml.tokens"], fields["tokenizer.ggml.token_type"]
    # Unused entries only pad the embedding matrix; in the vocabulary they would decode as text.
    vocab = {
        token: token_id
        for token_id, (token, type_) in enumerate(zip(tokens, types, strict=True))
        if type_ != TokenType.UNUSED
    }
    merges = [tuple(merge.split(" ", 1)) for merge in fields["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=merges))
    if rules == "qwen2":
        tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = _splitter(rules)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_tokens(_added_tokens(tokens, types))
    return tokenizer


def _splitter(rules: str) -> pre_tokenizers.PreTokenizer:
    if rules == "smollm":
        first: pre_tokenizers.PreTokenizer = pre_tokenizers.Digits(individual_digits=True)
        then = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    else:
        first = pre_tokenizers.Split(Regex(_QWEN2_WORDS), behavior="isolated")
        then = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    return pre_tokenizers.Sequence([first, then])


def _added_tokens(tokens: list[str], types: list[int]) -> list[AddedToken]:
    """The tokens that are never split: control tokens are special, user-defined ones are text."""
    return [
        AddedToken(token, special=type_ == TokenType.CONTROL, normalized=False)
        for token, type_ in zip(tokens, types, strict=True)
        if type_ in (TokenType.CONTROL, TokenType.USER_DEFINED)
    ]


def special_token_ids(fields: Mapping[str, Any]) -> dict[str, int]:
    """Ids by role: ``bos_token``, ``eos_token``, ``unk_token``, ``pad_token``, where declared."""
    keys = {"bos": "bos", "eos": "eos", "unknown": "unk", "padding": "pad"}
    return {
        f"{role}_token": fields[f"tokenizer.ggml.{key}_token_id"]
        for key, role in keys.items()
        if f"tokenizer.ggml.{key}_token_id" in fields
    }
