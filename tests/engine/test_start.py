"""What a start brings in: transformers' model code takes seconds, and is seldom needed."""

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer

from engine.build import build
from engine.config import read_model_info
from engine.loader import load_tokenizer
from engine.native import is_available
from tests.engine.conftest import MakeConfig
from tests.tiny_models import NATIVE_SIZES, byte_level_tokenizer, make_model

ROOT = Path(__file__).parents[2]
BUILD = """
import pickle, sys
from engine.build import build
from engine.config import read_model_info
config = pickle.load(sys.stdin.buffer)
build(config, read_model_info(config))
print(*{"transformers.modeling_utils", "torch._dynamo", "sympy"} & sys.modules.keys())
"""


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    make_model("qwen3", **NATIVE_SIZES).save_pretrained(tmp_path)
    byte_level_tokenizer().save_pretrained(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "dtype",
    [
        "int8",
        pytest.param(
            "auto", marks=pytest.mark.skipif(not is_available(), reason="built without a compiler")
        ),
    ],
)
def test_a_model_whose_weights_are_packed_starts_without_model_code(
    make_config: MakeConfig, directory: Path, dtype: str
) -> None:
    config = make_config(model_path=directory, dtype=dtype, max_seq_len=64, max_iter_times=32)
    build(config, read_model_info(config))  # packs them

    shown = subprocess.check_output(
        [sys.executable, "-W", "ignore", "-c", BUILD], cwd=ROOT, input=pickle.dumps(config)
    )

    assert shown.strip() == b""


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"tokenizer_class": "LlamaTokenizer"},
        {"tokenizer_class": "Qwen2TokenizerFast"},
        {"tokenizer_class": "NoSuchTokenizer"},
        {"tokenizer_class": None},
        {"auto_map": {"AutoTokenizer": ["custom.Tokenizer", None]}},
    ],
)
def test_a_tokenizer_is_the_one_that_transformers_makes_of_the_directory(
    directory: Path, changes: dict[str, Any]
) -> None:
    path = directory / "tokenizer_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))
    options = {"local_files_only": True, "trust_remote_code": False}

    expected = AutoTokenizer.from_pretrained(directory, **options)
    loaded = load_tokenizer(directory, **options)

    assert type(loaded) is type(expected)
    assert loaded.backend_tokenizer.to_str() == expected.backend_tokenizer.to_str()
    assert loaded.special_tokens_map == expected.special_tokens_map
