"""Tiny random models and tokenizers, made on the spot: real architectures, no download."""

from pathlib import Path
from typing import Any

import torch
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedTokenizerFast

VOCAB_SIZE = 400
_CORPUS = [
    "The capital of France is Paris. Once upon a time there was a little model.",
    "def add(a, b):\n    return a + b\n",
    "今天天气很好，我们去公园。",
    "My name is Olivier and I live by the sea.",
]
_SIZES: dict[str, Any] = {
    "vocab_size": VOCAB_SIZE,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "intermediate_size": 64,
    "max_position_embeddings": 256,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}

# What each architecture needs beside the common sizes. Windows are short enough to matter.
ARCHITECTURES: dict[str, dict[str, Any]] = {
    "llama": {},
    "mistral": {"sliding_window": 8},
    "qwen2": {},
    "qwen3": {"head_dim": 8},
    "gemma": {"head_dim": 8},
    "gemma2": {"head_dim": 8, "sliding_window": 8},
    "gemma3_text": {"head_dim": 8, "sliding_window": 8},
    "phi": {},
    "phi3": {},
    "gpt2": {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 256},
    "gpt_neox": {},
}
# Of the smallest model that the native decoder takes.
NATIVE_SIZES: dict[str, Any] = {"hidden_size": 64, "intermediate_size": 96, "head_dim": 16}
_UNSUPPORTED: dict[str, dict[str, Any]] = {
    "bloom": {"n_layer": 2, "n_head": 4},
    "mamba": {},
    "gpt_oss": {"head_dim": 8},
}


def make_model(architecture: str, **sizes: Any) -> Any:
    """A random model with logits far enough apart that greedy choices are not ties."""
    extra = {**ARCHITECTURES, **_UNSUPPORTED}[architecture]
    config = AutoConfig.for_model(architecture, **{**_SIZES, **extra, **sizes})
    torch.manual_seed(len(architecture))
    model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.dim() > 1:
                parameter.mul_(8)
    return model


def byte_level_tokenizer() -> PreTrainedTokenizerFast:
    """Byte-level BPE, as of GPT-2 and SmolLM2."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCAB_SIZE - 40,
        special_tokens=["<pad>", "<s>", "</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_CORPUS, trainer)
    return _wrapped(tokenizer)


def byte_fallback_tokenizer() -> PreTrainedTokenizerFast:
    """SentencePiece-like BPE with byte fallback, as of Llama 2."""
    words = sorted({char for text in _CORPUS[:2] for char in text.replace(" ", "▁")})
    pieces = ["<pad>", "<s>", "</s>", "<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), *words]
    vocabulary = {piece: index for index, piece in enumerate(dict.fromkeys(pieces))}
    tokenizer = Tokenizer(models.BPE(vocabulary, [], unk_token="<unk>", byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    tokenizer.decoder = decoders.Sequence(
        [
            decoders.Replace("▁", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    return _wrapped(tokenizer)


def word_piece_tokenizer() -> PreTrainedTokenizerFast:
    """WordPiece: neither byte-level nor byte fallback."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"\s+|(?=\p{Han})"), "removed")
    tokenizer.decoder = decoders.WordPiece()
    trainer = trainers.WordPieceTrainer(
        vocab_size=VOCAB_SIZE - 40,
        special_tokens=["<pad>", "<s>", "</s>", "<unk>"],
        show_progress=False,
    )
    tokenizer.train_from_iterator(_CORPUS, trainer)
    return _wrapped(tokenizer)


def save_model(directory: Path, architecture: str = "llama", **sizes: Any) -> Path:
    """Write an ordinary transformers directory."""
    make_model(architecture, **sizes).save_pretrained(directory)
    byte_level_tokenizer().save_pretrained(directory)
    return directory


def _wrapped(tokenizer: Tokenizer) -> PreTrainedTokenizerFast:
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<s>", eos_token="</s>"
    )
