"""Bodies as handlers get them."""

from typing import Any

from app.body import BodySchema
from app.deployment import folded_document
from app.settings import Settings
from tests.fake_engine import MODEL

_SCHEMA = BodySchema(folded_document(Settings(), [MODEL]), "generate")


def complete(body: str) -> dict[str, Any]:
    """The payload of a JSON body, every default filled."""
    return _SCHEMA.complete(body.encode()).payload
