"""Room for connections: each is an open file of the process."""

import logging

from app.bounded import TOLD_FACTOR

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

logger = logging.getLogger(__name__)

OTHER_FILES = 128  # the model, libraries, the log


def raise_file_limit(max_connections: int) -> None:
    """Let the process open what so many connections need, as far as the system lets it."""
    if resource is None:
        return
    wanted = TOLD_FACTOR * max_connections + OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= wanted or soft == resource.RLIM_INFINITY:
        return
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < wanted:
        logger.warning(
            "max_connections is %d, and the system lets this process open only %d files",
            max_connections,
            allowed,
        )
