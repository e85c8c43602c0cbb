"""Room for connections: each is an open file of the process."""

import logging
from dataclasses import dataclass

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

logger = logging.getLogger(__name__)

OTHER_FILES = 128  # the model, libraries, the log
# Up to so many times the limit of connections, those beyond it get an answer that says so.
TOLD_FACTOR = 2
# Of the files for connections, where there are not enough for all that.
SERVED_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class Room:
    """How many connections are served, and up to how many those beyond are told that they are
    not."""

    max_connections: int
    max_told: int


def wanted_room(max_connections: int) -> Room:
    return Room(max_connections, TOLD_FACTOR * max_connections)


def make_room(max_connections: int) -> Room:
    """Let the process open the files that so many connections need, as far as the system lets it.

    Returns the room that there is.
    """
    room = wanted_room(max_connections)
    if resource is None:
        return room
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = room.max_told + OTHER_FILES
    if resource.RLIM_INFINITY in (soft, hard):
        allowed = wanted
    else:
        allowed = max(soft, min(wanted, hard))
    if soft != resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, allowed), hard))
    return room if allowed >= wanted else _less_room(max_connections, allowed)


def _less_room(max_connections: int, num_files: int) -> Room:
    max_told = max(2, num_files - OTHER_FILES)
    max_served = min(max_connections, int(max_told * SERVED_SHARE))
    if max_served < max_connections:
        logger.warning(
            "max_connections is %d, but there is room for %d: the system lets this process open"
            " only %d files",
            max_connections,
            max_served,
            num_files,
        )
    return Room(max_served, max_told)
