"""Operations of the document, in terms of an engine; HTTP stays outside."""

from handlers.call import Call
from handlers.errors import NotRunningError
from handlers.events import EventStream
from handlers.metrics import PlainText
from handlers.race import ClientGoneError
from handlers.table import Handler, operations

__all__ = [
    "Call",
    "ClientGoneError",
    "EventStream",
    "Handler",
    "NotRunningError",
    "PlainText",
    "operations",
]
