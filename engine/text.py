"""Texts and tokens for their own sake: what a text is in tokens, and whether it is marked."""

from collections.abc import Sequence
from functools import cached_property
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import torch

from engine.config import WatermarkConfig
from engine.errors import InvalidRequestError
from engine.types import ModelInfo, TokenizedText, WatermarkDetection

if TYPE_CHECKING:
    from transformers import WatermarkDetector

_NOTHING_SCORED = WatermarkDetection(
    num_tokens=0, green_fraction=0.0, z_score=0.0, p_value=1.0, is_watermarked=False
)


class TextTools:
    """Reads texts as prompts of one model are read. Used by one thread at a time."""

    def __init__(self, tokenizer: Any, info: ModelInfo, watermark: WatermarkConfig) -> None:
        self._tokenizer = tokenizer
        self._backend = getattr(tokenizer, "backend_tokenizer", None)
        self._info = info
        self._watermark = watermark

    @cached_property
    def _detector(self) -> "WatermarkDetector":
        # Brings in all of transformers' model code: a fifth of the time to start, for a rare use.
        from transformers import WatermarkDetector

        return WatermarkDetector(
            SimpleNamespace(
                bos_token_id=self._tokenizer.bos_token_id,
                is_encoder_decoder=False,
                vocab_size=self._info.vocab_size,
            ),
            self._info.device,
            {
                "greenlist_ratio": self._watermark.greenlist_ratio,
                "bias": self._watermark.bias,
                "hashing_key": self._watermark.hashing_key,
            },
        )

    def tokenize(self, text: str) -> TokenizedText:
        """The tokens of a prompt, with those that the model wants around it."""
        if self._backend is None:
            return TokenizedText(token_ids=tuple(self._tokenizer.encode(text)), offsets=None)
        [encoding] = self._backend.encode_batch([text])  # unlike one text, without a lock
        return TokenizedText(token_ids=tuple(encoding.ids), offsets=tuple(encoding.offsets))

    def detokenize(self, token_ids: Sequence[int], *, skip_special_tokens: bool) -> str:
        """Raises InvalidRequestError for an id that is not in the vocabulary."""
        if not all(0 <= token_id < self._info.vocab_size for token_id in token_ids):
            problem = f"token ids must be between 0 and {self._info.vocab_size - 1}"
            raise InvalidRequestError("token_ids", problem)
        decoder = self._backend if self._backend is not None else self._tokenizer
        return str(decoder.decode(list(token_ids), skip_special_tokens=skip_special_tokens))

    def detect_watermark(self, text: str) -> WatermarkDetection:
        """Raises InvalidRequestError for a text of too many tokens to be scored."""
        token_ids = self._plain_ids(text)
        if len(token_ids) > self._info.max_seq_len:
            problem = f"has {len(token_ids)} tokens, and at most {self._info.max_seq_len} are"
            raise InvalidRequestError("text_input", f"{problem} scored (max_seq_len)")
        if token_ids[:1] == [self._tokenizer.bos_token_id]:
            token_ids = token_ids[1:]
        if len(token_ids) < 2:  # each token is scored by the one before it
            return _NOTHING_SCORED
        ids = torch.tensor([token_ids], device=self._info.device)
        found = self._detector(ids, return_dict=True)
        return WatermarkDetection(
            num_tokens=int(found.num_tokens_scored[0]),
            green_fraction=float(found.green_fraction[0]),
            z_score=float(found.z_score[0]),
            p_value=float(found.p_value[0]),
            is_watermarked=bool(found.prediction[0]),
        )

    def _plain_ids(self, text: str) -> list[int]:
        if self._backend is not None:
            [encoding] = self._backend.encode_batch_fast([text], add_special_tokens=False)
            return list(encoding.ids)
        return list(self._tokenizer.encode(text, add_special_tokens=False))
