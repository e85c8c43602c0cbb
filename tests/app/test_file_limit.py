"""How many connections there is room for, under limits of the system."""

import logging
import resource

import pytest

from app.file_limit import OTHER_FILES, Room, make_room

UNLIMITED = resource.RLIM_INFINITY


class Limit:
    """Of the number of open files, in the place of this process' own."""

    def __init__(self, soft: int, hard: int) -> None:
        self.now = (soft, hard)

    def get(self, _kind: int) -> tuple[int, int]:
        return self.now

    def set(self, _kind: int, limits: tuple[int, int]) -> None:
        assert limits[1] == self.now[1]  # only the system's master may change that
        self.now = limits


@pytest.mark.parametrize(
    ("soft", "hard", "expected", "soft_after"),
    [
        (256, UNLIMITED, Room(1000, 2000), 2000 + OTHER_FILES),
        (UNLIMITED, UNLIMITED, Room(1000, 2000), UNLIMITED),
        (9000, 9000, Room(1000, 2000), 9000),
        (256, 9000, Room(1000, 2000), 2000 + OTHER_FILES),
        (256, 1628, Room(1000, 1500), 1628),  # served all, told fewer
        (256, 628, Room(450, 500), 628),
        (64, 64, Room(1, 2), 64),
    ],
)
def test_there_is_no_more_room_than_files(
    soft: int,
    hard: int,
    expected: Room,
    soft_after: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    limit = Limit(soft, hard)
    monkeypatch.setattr(resource, "getrlimit", limit.get)
    monkeypatch.setattr(resource, "setrlimit", limit.set)

    assert make_room(1000) == expected
    assert limit.now == (soft_after, hard)
    warnings = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert bool(warnings) == (expected.max_connections < 1000)
