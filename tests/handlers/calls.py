"""Calls as handlers get them: from a JSON body of any operation, and a client that may leave."""

import asyncio
import json
import math
from collections.abc import MutableMapping
from time import monotonic
from typing import Any

from app.body import BodySchema
from app.deployment import folded_document
from app.settings import Settings
from handlers import Call, Handler, operations
from tests.fake_engine import MODEL, FakeEngine

DOCUMENT = folded_document(Settings(), [MODEL])


def call_of(
    operation: str, body: object, leaves_after: float = math.inf, *, is_dry_run: bool = False
) -> Call:
    """A request of a client that leaves after so many seconds."""

    async def receive() -> MutableMapping[str, Any]:
        await (asyncio.sleep(leaves_after) if leaves_after < math.inf else asyncio.Event().wait())
        return {"type": "http.disconnect"}

    completed = BodySchema(DOCUMENT, operation).complete(json.dumps(body).encode())
    return Call(
        payload=completed.payload,
        query={"dry_run": is_dry_run},
        ignored=completed.ignored,
        capped=completed.capped,
        arrived_at=monotonic(),
        receive=receive,
    )


def table(engine: FakeEngine) -> dict[str, Handler]:
    """The handlers of a server around this engine, which is ready."""
    engine.is_ready = True
    info = {"title": "genspec", "version": "0"}
    return operations(
        engine,
        document_info=info,
        declared_capabilities={},
        is_draining=lambda: False,
        has_failed=lambda: False,
        request_timeout=60,
        render_metrics=lambda *_: "",
    )
