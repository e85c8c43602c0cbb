"""Tokenizers with tokens that were added to them and not to the model."""

from pathlib import Path
from typing import Any

import pytest

from engine import InvalidRequestError, LocalEngine
from engine.native import is_available
from tests.engine.calls import collect, make_request, token_ids
from tests.engine.conftest import MakeConfig
from tests.tiny_models import NATIVE_SIZES, VOCAB_SIZE, byte_level_tokenizer, make_model


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "foreign"
    make_model("llama", **NATIVE_SIZES).save_pretrained(path)
    tokenizer = byte_level_tokenizer()
    tokenizer.add_tokens([f"<y{number}>" for number in range(VOCAB_SIZE)])
    tokenizer.save_pretrained(path)
    return path


@pytest.mark.parametrize(
    ("dtype", "decoder"),
    [
        pytest.param(
            "int8", "native", marks=pytest.mark.skipif(not is_available(), reason="not compiled")
        ),
        pytest.param("int8", "exact", marks=pytest.mark.slow),
        pytest.param("float32", "transformers", marks=pytest.mark.slow),
    ],
)
async def test_a_prompt_with_such_a_token_is_refused_and_nothing_else_suffers(
    make_config: MakeConfig, directory: Path, dtype: str, decoder: str
) -> None:
    engine = LocalEngine(make_config(model_path=directory, dtype=dtype, decoder=decoder))
    await engine.start()

    async def answer(prompt: str, **changes: Any) -> list[int]:
        return token_ids(await collect(engine, make_request(prompt, max_new_tokens=4, **changes)))

    expected = await answer("hello")
    for prompt in ("<y100>", f"hello <y{VOCAB_SIZE - 1}> world"):
        for _ in range(4):  # more than steps may fail in a row
            with pytest.raises(InvalidRequestError, match="which this model does not have"):
                await answer(prompt)
    assert await answer("hello") == expected
    assert await answer("hello", bad_words=("<y100>",)) == expected  # it could never come
    await engine.stop()
