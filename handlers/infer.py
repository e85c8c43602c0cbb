"""The infer operations: one tensor in, one tensor of the same datatype out."""

from collections.abc import Mapping, Sequence
from typing import Any

from engine import Chunk, GenerationRequest, InvalidRequestError
from handlers.answer import Answering
from handlers.call import Call
from handlers.generations import Generations
from handlers.request import to_request

_DATA = "inputs[0].data"


class InferHandlers:
    """Continue token ids, or a text."""

    def __init__(self, generations: Generations) -> None:
        self._generations = generations

    async def infer(
        self, model_name: str, call: Call, model_version: str | None = None
    ) -> dict[str, Any]:
        tensor = call.payload["inputs"]
        request = to_request(call.payload, to_prompt(tensor), model_name)
        chunks = await self._collect(request, call)
        output = _to_output(call.payload["outputs"].get("name"), tensor["datatype"], chunks)
        return Answering(call.payload, request, model_version).outputs(output, chunks)

    async def _collect(self, request: GenerationRequest, call: Call) -> list[Chunk]:
        try:
            return await self._generations.collect(request, call)
        except InvalidRequestError as exc:
            # The engine names the prompt as the other operations have it.
            field = _DATA if exc.field in ("text_input", "inputs") else exc.field
            raise InvalidRequestError(field, exc.problem) from None


def to_prompt(tensor: Mapping[str, Any]) -> str | tuple[int, ...]:
    """The text or the token ids of a tensor that the document has checked."""
    data = tensor["data"]
    if isinstance(data[0], list):
        [data] = data
    return str(data[0]) if tensor["datatype"] == "BYTES" else tuple(data)


def _to_output(name: str | None, datatype: str, chunks: Sequence[Chunk]) -> dict[str, Any]:
    if datatype == "BYTES":
        text = "".join(chunk.text for chunk in chunks)
        return {"name": name or "text_output", "shape": [1], "datatype": datatype, "data": [text]}
    token_ids = [chunk.token.token_id for chunk in chunks if chunk.token is not None]
    return {
        "name": name or "output0",
        "shape": [1, len(token_ids)],
        "datatype": datatype,
        "data": token_ids,
    }
