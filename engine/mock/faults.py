"""What a prompt can ask to go wrong: ``[mock: FAULT]``, or ``[mock: FAULT after N]`` tokens."""

import re
from dataclasses import dataclass

from engine.errors import (
    EngineOverloadedError,
    EngineUnavailableError,
    GenerationError,
    InvalidRequestError,
    RequestTimeoutError,
)

_ASKED = "the prompt asked for this"
_RETRY_AFTER = 1
_NAMES = ("failure", "overloaded", "unavailable", "timeout", "crash", "hang")
_REQUEST = re.compile(r"\[mock: *([a-z]+)(?: +after +(\d{1,9}))?\]")


class CrashError(Exception):
    """No error of an engine: what a bug of the server would raise."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Comes in the place of the token after the first ``after``."""

    name: str
    after: int

    @property
    def is_hang(self) -> bool:
        return self.name == "hang"

    def error(self) -> Exception:
        """What is raised, unless the fault is to hang."""
        errors: dict[str, Exception] = {
            "failure": GenerationError(_ASKED),
            "overloaded": EngineOverloadedError(_ASKED, retry_after=_RETRY_AFTER),
            "unavailable": EngineUnavailableError(_ASKED),
            "timeout": RequestTimeoutError(_ASKED),
            "crash": CrashError(_ASKED),
        }
        return errors[self.name]


def asked_for(prompt: str) -> Fault | None:
    """Raises InvalidRequestError for a fault that there is not, so that none is missed."""
    request = _REQUEST.search(prompt)
    if request is None:
        return None
    if request[1] not in _NAMES:
        raise InvalidRequestError("text_input", f"the mock's faults are {', '.join(_NAMES)}")
    return Fault(request[1], int(request[2] or 0))
