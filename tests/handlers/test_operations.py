"""The table of handlers against the document."""

import inspect

from app.document import load_document
from handlers import operations
from tests.documents import operations as declared
from tests.fake_engine import FakeEngine

TABLE = operations(
    FakeEngine(),
    document_info={},
    declared_capabilities={},
    is_draining=lambda: False,
    has_failed=lambda: False,
    request_timeout=60,
    render_metrics=lambda *_: "",
)


def test_every_operation_has_a_handler_and_every_handler_an_operation() -> None:
    names = [operation["operationId"] for _, _, operation in declared(load_document())]

    assert sorted(names) == sorted(TABLE)


def test_handlers_take_what_their_paths_give() -> None:
    for path, _, operation in declared(load_document()):
        handler = TABLE[operation["operationId"]]
        given = {part[1:-1]: "x" for part in path.split("/") if part.startswith("{")}
        given |= {"call": "x"} if "requestBody" in operation else {}

        bound = inspect.signature(handler).bind(**given)
        assert bound.arguments == given, path
