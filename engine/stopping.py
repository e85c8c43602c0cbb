"""Stop strings: cut the text before the first one, and show nothing that may become one."""


class StopMatcher:
    """Watches the text of one request for its stop strings."""

    def __init__(self, stops: tuple[str, ...]) -> None:
        self._stops = stops
        self._held = ""

    def add(self, text: str) -> tuple[str, bool]:
        """Take new text. Returns what may be shown, and whether a stop string was completed.

        Where several are complete, the text is cut before the one that begins first.
        """
        pending = self._held + text
        begins = [index for stop in self._stops if (index := pending.find(stop)) >= 0]
        if begins:
            self._held = ""
            return pending[: min(begins)], True
        num_held = max((_overlap(pending, stop) for stop in self._stops), default=0)
        self._held = pending[len(pending) - num_held :]
        return pending[: len(pending) - num_held], False

    def finish(self) -> str:
        """Whatever was held back and did not become a stop string."""
        held, self._held = self._held, ""
        return held


def _overlap(text: str, stop: str) -> int:
    """The length of the longest end of ``text`` that begins ``stop`` and is shorter than it."""
    for length in range(min(len(text), len(stop) - 1), 0, -1):
        if text.endswith(stop[:length]):
            return length
    return 0
