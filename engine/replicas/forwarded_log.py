"""The log of a replica, which is written by the front: one process, one log."""

import logging
from collections import deque
from dataclasses import dataclass

_MOST_LINES = 100  # kept until they are fetched; older ones are lost
_FORMATTER = logging.Formatter()


@dataclass(frozen=True, slots=True)
class LogLine:
    """A record of the log as text."""

    name: str
    level: int
    message: str

    def write(self) -> None:
        logging.getLogger(self.name).log(self.level, "%s", self.message)


class ForwardedLog(logging.Handler):
    """Takes what this process logs, as far as it is ours to tell.

    Used by several threads: each of the operations on the lines is a single one.
    """

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self._lines: deque[LogLine] = deque(maxlen=_MOST_LINES)

    def begin(self) -> None:
        """Take what is logged from now on."""
        ours = logging.getLogger("engine")
        ours.setLevel(logging.INFO)
        ours.addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if record.exc_info:
            message += "\n" + _FORMATTER.formatException(record.exc_info)
        self._lines.append(LogLine(record.name, record.levelno, message))

    def take(self) -> tuple[LogLine, ...]:
        """The lines since the last time."""
        return tuple(self._lines.popleft() for _ in range(len(self._lines)))
