"""What a model can be asked for."""

from dataclasses import replace
from typing import Any

import pytest

from engine import ModelInfo, ModelNotFoundError
from handlers.capabilities import CapabilityHandlers
from tests.fake_engine import MODEL, FakeEngine


async def capabilities(model: ModelInfo, version: str | None = None) -> dict[str, Any]:
    class Engine(FakeEngine):
        def models(self) -> tuple[ModelInfo, ...]:
            return (model,)

    return await CapabilityHandlers(Engine(), {"parameters": []}).capabilities("fake", version)


@pytest.mark.parametrize(("dtype", "quantisation"), [("float32", None), ("int8", "int8")])
async def test_quantised_weights_are_named(dtype: str, quantisation: str | None) -> None:
    found = await capabilities(replace(MODEL, dtype=dtype))

    assert (found["dtype"], found["quantisation"]) == (dtype, quantisation)


@pytest.mark.parametrize(
    ("is_load_invariant", "level"), [(True, "batch_invariant"), (False, "single_request")]
)
async def test_no_more_is_promised_than_holds(is_load_invariant: bool, level: str) -> None:
    found = await capabilities(replace(MODEL, is_load_invariant=is_load_invariant))

    assert found["determinism"] == level


async def test_another_version_is_not_found() -> None:
    with pytest.raises(ModelNotFoundError):
        await capabilities(MODEL, "2")
