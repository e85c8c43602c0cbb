from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.detect_watermark_request import DetectWatermarkRequest
from ...models.detect_watermark_response import DetectWatermarkResponse
from ...models.error import Error
from ...types import Response


def _get_kwargs(
    model_name: str,
    *,
    body: DetectWatermarkRequest,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v2/models/{model_name}/detect_watermark".format(
            model_name=quote(str(model_name), safe=""),
        ),
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> DetectWatermarkResponse | Error | None:
    if response.status_code == 200:
        response_200 = DetectWatermarkResponse.from_dict(response.json())

        return response_200

    if response.status_code == 400:
        response_400 = Error.from_dict(response.json())

        return response_400

    if response.status_code == 401:
        response_401 = Error.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = Error.from_dict(response.json())

        return response_403

    if response.status_code == 404:
        response_404 = Error.from_dict(response.json())

        return response_404

    if response.status_code == 405:
        response_405 = Error.from_dict(response.json())

        return response_405

    if response.status_code == 408:
        response_408 = Error.from_dict(response.json())

        return response_408

    if response.status_code == 413:
        response_413 = Error.from_dict(response.json())

        return response_413

    if response.status_code == 415:
        response_415 = Error.from_dict(response.json())

        return response_415

    if response.status_code == 422:
        response_422 = Error.from_dict(response.json())

        return response_422

    if response.status_code == 429:
        response_429 = Error.from_dict(response.json())

        return response_429

    if response.status_code == 431:
        response_431 = Error.from_dict(response.json())

        return response_431

    if response.status_code == 500:
        response_500 = Error.from_dict(response.json())

        return response_500

    if response.status_code == 503:
        response_503 = Error.from_dict(response.json())

        return response_503

    if client.raise_on_unexpected_status:
        raise errors.UnexpectedStatus(response.status_code, response.content)
    else:
        return None


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[DetectWatermarkResponse | Error]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    model_name: str,
    *,
    client: AuthenticatedClient | Client,
    body: DetectWatermarkRequest,
) -> Response[DetectWatermarkResponse | Error]:
    """Tell whether a text was marked

     Scores the text with the key and settings that `watermark` marks texts with here. A text without its
    prompt scores best. In one of fewer than 2 tokens nothing is scored, and one of more than the
    server's `max_seq_len` is refused.

    Args:
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        body (DetectWatermarkRequest): A text that may be marked.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DetectWatermarkResponse | Error]
    """

    kwargs = _get_kwargs(
        model_name=model_name,
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    model_name: str,
    *,
    client: AuthenticatedClient | Client,
    body: DetectWatermarkRequest,
) -> DetectWatermarkResponse | Error | None:
    """Tell whether a text was marked

     Scores the text with the key and settings that `watermark` marks texts with here. A text without its
    prompt scores best. In one of fewer than 2 tokens nothing is scored, and one of more than the
    server's `max_seq_len` is refused.

    Args:
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        body (DetectWatermarkRequest): A text that may be marked.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DetectWatermarkResponse | Error
    """

    return sync_detailed(
        model_name=model_name,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    model_name: str,
    *,
    client: AuthenticatedClient | Client,
    body: DetectWatermarkRequest,
) -> Response[DetectWatermarkResponse | Error]:
    """Tell whether a text was marked

     Scores the text with the key and settings that `watermark` marks texts with here. A text without its
    prompt scores best. In one of fewer than 2 tokens nothing is scored, and one of more than the
    server's `max_seq_len` is refused.

    Args:
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        body (DetectWatermarkRequest): A text that may be marked.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[DetectWatermarkResponse | Error]
    """

    kwargs = _get_kwargs(
        model_name=model_name,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    model_name: str,
    *,
    client: AuthenticatedClient | Client,
    body: DetectWatermarkRequest,
) -> DetectWatermarkResponse | Error | None:
    """Tell whether a text was marked

     Scores the text with the key and settings that `watermark` marks texts with here. A text without its
    prompt scores best. In one of fewer than 2 tokens nothing is scored, and one of more than the
    server's `max_seq_len` is refused.

    Args:
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        body (DetectWatermarkRequest): A text that may be marked.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        DetectWatermarkResponse | Error
    """

    return (
        await asyncio_detailed(
            model_name=model_name,
            client=client,
            body=body,
        )
    ).parsed
