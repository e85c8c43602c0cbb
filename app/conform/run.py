"""``genspec conform``: every check against one server."""

import http.client
from collections.abc import Iterator

from app.conform.bounds import bound_checks
from app.conform.check import Check
from app.conform.generation import generation_checks
from app.conform.operations import operation_checks
from app.conform.refusals import refusal_checks
from app.conform.report import Difference, Report
from app.conform.streams import stream_checks
from app.conform.subject import Subject, find_subject
from app.conform.target import Target
from app.settings import SettingsError


def conform(target: Target, model: str | None) -> Report:
    """Raises SettingsError where there is no server of this interface."""
    try:
        subject = find_subject(target, model)
    except (OSError, http.client.HTTPException) as exc:
        raise SettingsError(f"url: {target.url} cannot be asked: {exc}") from None
    checks = list(checks_of(subject))
    found = [difference for check in checks if (difference := look(target, check)) is not None]
    return Report(target.url, [check.name for check in checks], found)


def checks_of(subject: Subject) -> Iterator[Check]:
    yield from operation_checks(subject)
    yield from generation_checks(subject)
    yield from stream_checks(subject)
    yield from refusal_checks(subject)
    yield from bound_checks(subject)


def look(target: Target, check: Check) -> Difference | None:
    """Make one check; None where everything is as expected."""
    try:
        got = check.judge([target.ask(request) for request in check.requests])
    except (OSError, http.client.HTTPException) as exc:
        got = f"no answer: {exc or type(exc).__name__}"
    if got is None:
        return None
    return Difference(check.name, check.expected, got, check.requests[-1].as_curl(target.url))
