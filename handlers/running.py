"""Which generations run, by the names that clients gave them."""

from collections.abc import Iterator
from contextlib import contextmanager


class RunningRequests:
    """The engine's request ids behind each client's id, of which several requests may share one."""

    def __init__(self) -> None:
        self._request_ids: dict[tuple[str, str], set[str]] = {}

    @contextmanager
    def entry(self, model: str, client_id: str, request_id: str) -> Iterator[None]:
        """Keep a request findable for as long as the context lasts."""
        key = model, client_id
        self._request_ids.setdefault(key, set()).add(request_id)
        try:
            yield
        finally:
            self._request_ids[key].discard(request_id)
            if not self._request_ids[key]:
                del self._request_ids[key]

    def find(self, model: str, client_id: str) -> tuple[str, ...]:
        """Every running request that the client's id stands for."""
        return tuple(self._request_ids.get((model, client_id), ()))
