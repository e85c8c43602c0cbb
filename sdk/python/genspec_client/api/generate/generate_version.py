from http import HTTPStatus
from typing import Any
from urllib.parse import quote

import httpx

from ... import errors
from ...client import AuthenticatedClient, Client
from ...models.error import Error
from ...models.generate_request import GenerateRequest
from ...models.generate_response import GenerateResponse
from ...types import UNSET, Response, Unset


def _get_kwargs(
    model_name: str,
    model_version: str,
    *,
    body: GenerateRequest,
    dry_run: bool | Unset = False,
    idempotency_key: str | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    params: dict[str, Any] = {}

    params["dry_run"] = dry_run

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/v2/models/{model_name}/versions/{model_version}/generate".format(
            model_name=quote(str(model_name), safe=""),
            model_version=quote(str(model_version), safe=""),
        ),
        "params": params,
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Error | GenerateResponse | None:
    if response.status_code == 200:
        response_200 = GenerateResponse.from_dict(response.json())

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

    if response.status_code == 424:
        response_424 = Error.from_dict(response.json())

        return response_424

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
) -> Response[Error | GenerateResponse]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    model_name: str,
    model_version: str,
    *,
    client: AuthenticatedClient | Client,
    body: GenerateRequest,
    dry_run: bool | Unset = False,
    idempotency_key: str | Unset = UNSET,
) -> Response[Error | GenerateResponse]:
    """Continue a text with that version of the model

     Answers when the whole text is there, and names the version.

    Args:
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        model_version (str): Version of a served model. Example: 1.
        dry_run (bool | Unset):  Default: False.
        idempotency_key (str | Unset):
        body (GenerateRequest): A text to continue. All fields but `id`, `text_input` and
            `parameters` are other spellings of fields of `parameters`, which win, for clients of the
            sister protocol.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | GenerateResponse]
    """

    kwargs = _get_kwargs(
        model_name=model_name,
        model_version=model_version,
        body=body,
        dry_run=dry_run,
        idempotency_key=idempotency_key,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    model_name: str,
    model_version: str,
    *,
    client: AuthenticatedClient | Client,
    body: GenerateRequest,
    dry_run: bool | Unset = False,
    idempotency_key: str | Unset = UNSET,
) -> Error | GenerateResponse | None:
    """Continue a text with that version of the model

     Answers when the whole text is there, and names the version.

    Args:
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        model_version (str): Version of a served model. Example: 1.
        dry_run (bool | Unset):  Default: False.
        idempotency_key (str | Unset):
        body (GenerateRequest): A text to continue. All fields but `id`, `text_input` and
            `parameters` are other spellings of fields of `parameters`, which win, for clients of the
            sister protocol.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | GenerateResponse
    """

    return sync_detailed(
        model_name=model_name,
        model_version=model_version,
        client=client,
        body=body,
        dry_run=dry_run,
        idempotency_key=idempotency_key,
    ).parsed


async def asyncio_detailed(
    model_name: str,
    model_version: str,
    *,
    client: AuthenticatedClient | Client,
    body: GenerateRequest,
    dry_run: bool | Unset = False,
    idempotency_key: str | Unset = UNSET,
) -> Response[Error | GenerateResponse]:
    """Continue a text with that version of the model

     Answers when the whole text is there, and names the version.

    Args:
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        model_version (str): Version of a served model. Example: 1.
        dry_run (bool | Unset):  Default: False.
        idempotency_key (str | Unset):
        body (GenerateRequest): A text to continue. All fields but `id`, `text_input` and
            `parameters` are other spellings of fields of `parameters`, which win, for clients of the
            sister protocol.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | GenerateResponse]
    """

    kwargs = _get_kwargs(
        model_name=model_name,
        model_version=model_version,
        body=body,
        dry_run=dry_run,
        idempotency_key=idempotency_key,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    model_name: str,
    model_version: str,
    *,
    client: AuthenticatedClient | Client,
    body: GenerateRequest,
    dry_run: bool | Unset = False,
    idempotency_key: str | Unset = UNSET,
) -> Error | GenerateResponse | None:
    """Continue a text with that version of the model

     Answers when the whole text is there, and names the version.

    Args:
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        model_version (str): Version of a served model. Example: 1.
        dry_run (bool | Unset):  Default: False.
        idempotency_key (str | Unset):
        body (GenerateRequest): A text to continue. All fields but `id`, `text_input` and
            `parameters` are other spellings of fields of `parameters`, which win, for clients of the
            sister protocol.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | GenerateResponse
    """

    return (
        await asyncio_detailed(
            model_name=model_name,
            model_version=model_version,
            client=client,
            body=body,
            dry_run=dry_run,
            idempotency_key=idempotency_key,
        )
    ).parsed
