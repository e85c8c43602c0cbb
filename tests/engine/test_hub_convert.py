"""A GGUF file becomes a directory that transformers loads without being told anything."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.hub import KNOWN_MODELS, HubError
from engine.hub.convert import convert
from tests.engine.hub_models import TOKENS, tiny_tensors, write_gguf

MODEL = KNOWN_MODELS["smollm2-135m-instruct"]


def make(directory: Path, kind: str = "llama", *, untied: bool = False) -> Path:
    source = directory / "m.gguf"
    write_gguf(source, tiny_tensors(untied=untied), kind)
    target = directory / "model"
    target.mkdir()
    convert(MODEL, source, target, lambda done, total: None)
    return target


def read_json(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return value


def test_the_directory_is_complete_and_readable_by_all(tmp_path: Path) -> None:
    directory = make(tmp_path)
    assert sorted(path.name for path in directory.iterdir()) == [
        "LICENSE",
        "NOTICE",
        "chat_template.jinja",
        "config.json",
        "generation_config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    ]
    assert {path.stat().st_mode & 0o777 for path in directory.iterdir()} == {0o644}


@pytest.mark.parametrize("kind", ["llama", "qwen2"])
@pytest.mark.parametrize("untied", [False, True])
def test_the_config_says_what_the_file_says(tmp_path: Path, kind: str, untied: bool) -> None:
    config = read_json(make(tmp_path, kind, untied=untied) / "config.json")
    assert config["model_type"] == kind
    assert config["vocab_size"] == len(TOKENS)
    assert config["rms_norm_eps"] == 1e-5
    assert config["rope_parameters"] == {"rope_type": "default", "rope_theta": 100000.0}
    assert config["tie_word_embeddings"] is not untied
    assert config["dtype"] == MODEL.compute_dtype


def test_a_chat_turn_and_a_document_both_end_a_text(tmp_path: Path) -> None:
    config = read_json(make(tmp_path) / "generation_config.json")
    assert config["eos_token_id"] == [TOKENS.index("<|im_end|>"), TOKENS.index("<|endoftext|>")]


def test_the_notice_names_licence_author_and_source(tmp_path: Path) -> None:
    directory = make(tmp_path)
    notice = (directory / "NOTICE").read_text(encoding="utf-8")
    for fact in (MODEL.title, MODEL.author, MODEL.source, MODEL.license):
        assert fact in notice
    assert "Apache License" in (directory / "LICENSE").read_text(encoding="utf-8")


def test_only_q_and_k_of_llama_are_reordered(tmp_path: Path) -> None:
    for kind in ("llama", "qwen2"):
        (tmp_path / kind).mkdir()
    llama, qwen2 = (
        (make(tmp_path / kind, kind) / "model.safetensors").read_bytes()
        for kind in ("llama", "qwen2")
    )
    assert len(llama) == len(qwen2)
    assert llama != qwen2


def test_an_unknown_architecture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HubError, match="unknown architecture"):
        make(tmp_path, "gemma")


def test_every_licence_of_a_known_model_ships_with_us(tmp_path: Path) -> None:
    for model in KNOWN_MODELS.values():
        directory = tmp_path / model.name
        directory.mkdir()
        write_gguf(tmp_path / "m.gguf", tiny_tensors())
        convert(model, tmp_path / "m.gguf", directory, lambda done, total: None)
        assert (directory / "LICENSE").stat().st_size > 0
    with pytest.raises(FileNotFoundError):
        convert(replace(MODEL, license="MIT"), tmp_path / "m.gguf", tmp_path, lambda *_: None)


def test_transformers_finds_every_weight_and_the_tokenizer_as_it_is(tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    directory = make(tmp_path, untied=True)
    _, info = AutoModelForCausalLM.from_pretrained(directory, output_loading_info=True)
    assert not any(info[key] for key in ("missing_keys", "unexpected_keys", "mismatched_keys"))
    tokenizer = AutoTokenizer.from_pretrained(directory)
    assert tokenizer.convert_ids_to_tokens(tokenizer("x =   42").input_ids) == [
        *("x", "Ġ", "=", "ĠĠĠ", "4", "2")
    ]
    messages = [{"role": "user", "content": "hello"}]
    assert tokenizer.apply_chat_template(messages, tokenize=False) == "hello"
