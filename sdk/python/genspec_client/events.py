"""Streams as iterators of events, which is what the generator cannot make.

    for event in stream("smollm2-135m-instruct", client=client, body=GenerateRequest("Hello")):
        print(event.text_output, end="")

Whoever stops early closes the iterator (``contextlib.closing`` and ``aclosing`` do), which ends
the generation on the server too.
"""

import json
from collections.abc import AsyncGenerator, Generator
from typing import Any

import httpx

from .api.generate import generate_stream, generate_stream_version
from .client import AuthenticatedClient, Client
from .errors import UnexpectedStatus
from .models.error import Error
from .models.generate_event import GenerateEvent
from .models.generate_request import GenerateRequest

_END = b"\n\n"
_PREFIX = b"data:"


class StreamError(Exception):
    """The server refused (then with its status) or failed later (then with status 200)."""

    def __init__(self, status_code: int, error: Error, headers: httpx.Headers) -> None:
        super().__init__(f"{error.error_type.value}: {error.error}")
        self.status_code = status_code
        self.error = error
        self.headers = headers


def stream(
    model_name: str,
    model_version: str | None = None,
    *,
    client: AuthenticatedClient | Client,
    body: GenerateRequest,
) -> Generator[GenerateEvent, None, None]:
    """Raises StreamError, UnexpectedStatus for an answer that is not the server's, and what httpx
    raises, also when the connection ends before the stream does."""
    request = _request(model_name, model_version, body)
    with client.get_httpx_client().stream(**request) as response:
        if response.status_code != httpx.codes.OK:
            response.read()
            raise _refusal(response)
        rest = b""
        for chunk in response.iter_raw():
            *frames, rest = (rest + chunk).split(_END)
            for frame in frames:
                yield _event(frame, response)


async def astream(
    model_name: str,
    model_version: str | None = None,
    *,
    client: AuthenticatedClient | Client,
    body: GenerateRequest,
) -> AsyncGenerator[GenerateEvent, None]:
    """The same on an event loop."""
    request = _request(model_name, model_version, body)
    async with client.get_async_httpx_client().stream(**request) as response:
        if response.status_code != httpx.codes.OK:
            await response.aread()
            raise _refusal(response)
        rest = b""
        async for chunk in response.aiter_raw():
            *frames, rest = (rest + chunk).split(_END)
            for frame in frames:
                yield _event(frame, response)


def _request(model_name: str, model_version: str | None, body: GenerateRequest) -> dict[str, Any]:
    if model_version is None:
        return generate_stream._get_kwargs(model_name, body=body)
    return generate_stream_version._get_kwargs(model_name, model_version, body=body)


def _refusal(response: httpx.Response) -> Exception:
    try:
        error = Error.from_dict(response.json())
    except (ValueError, KeyError, TypeError):  # a proxy's, not the server's
        return UnexpectedStatus(response.status_code, response.content)
    return StreamError(response.status_code, error, response.headers)


def _event(frame: bytes, response: httpx.Response) -> GenerateEvent:
    fields = json.loads(frame.removeprefix(_PREFIX))
    if "error" in fields:
        raise StreamError(response.status_code, Error.from_dict(fields), response.headers)
    return GenerateEvent.from_dict(fields)
