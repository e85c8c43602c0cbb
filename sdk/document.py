"""The document that client libraries are made from: for every deployment, API keys included."""

from app.document import Document, fold, load_document, mappings

_ANY = 2**31 - 1  # lowers no bound: what a deployment allows is for its server to say
_LIMITS: dict[str, int | str] = {
    "max_iter_times": _ANY,
    "max_token_id": _ANY,
    "model_name": "smollm2-135m-instruct",
    "model_version": "1",
}
_EVENT = "x-event-schema"


def sdk_document(typed_events: bool = False) -> Document:
    """``typed_events`` gives a stream the schema of its events, for generators that read it so."""
    document = fold(load_document(), _LIMITS)
    for node in mappings(document):
        if typed_events and _EVENT in node:
            node["schema"] = node[_EVENT]
    return document
