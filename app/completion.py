"""From a valid body as a client wrote it to a complete one under canonical names."""

from copy import copy
from typing import Any

from app.fields import Field, Fields, Path

Given = tuple[Field, Any]  # a declared field and what the client wrote for it


def without_nulls(body: object, fields: Fields) -> object:
    """The body without fields that are null and may be; all else is left to validation.

    So with empty strings, where the document says that they mean the same.
    """
    if not isinstance(body, dict):
        return body
    kept: dict[str, Any] = {}
    for name, value in body.items():
        known = fields.get(name)
        if known is None:
            kept[name] = value
        elif not known.is_absent(value):
            kept[name] = _without_nulls_within(value, known)
    return kept


def _without_nulls_within(value: object, known: Field) -> object:
    if known.is_only_item and isinstance(value, list):
        return [without_nulls(item, known.members) for item in value]
    return without_nulls(value, known.members) if known.members else value


def complete_body(
    body: dict[str, Any], fields: Fields
) -> tuple[dict[str, Any], list[str], list[str]]:
    """Return the payload and the names of the ignored and of the capped fields.

    ``body`` is valid for the schema that ``fields`` were compiled from, and has no nulls.
    """
    completion = _Completion()
    given = completion.sort_out(body, fields, ())
    winners = completion.choose(given)
    payload: dict[str, Any] = {}
    for path, value in completion.settle(winners).items():
        _put(payload, path, value)
    _fill(payload, fields)
    return payload, completion.ignored, completion.capped


class _Completion:
    """The work on one body, and what it has to tell about it."""

    def __init__(self) -> None:
        self.ignored: list[str] = []
        self.capped: list[str] = []

    def sort_out(self, body: dict[str, Any], fields: Fields, parent: Path) -> list[Given]:
        """The fields that can have an effect, those of objects within included."""
        given: list[Given] = []
        for name, value in body.items():
            known = fields.get(name)
            if known is not None and known.is_only_item and isinstance(value, list):
                [value] = value
            if known is None or known.is_ignored:
                self.ignored.append(".".join((*parent, name)))
            elif known.members:
                given += self.sort_out(value, known.members, known.path)
            else:
                given.append((known, value))
        return given

    def choose(self, given: list[Given]) -> list[Given]:
        """One spelling of each target."""
        winners: dict[Path, Given] = {}
        for known, value in sorted(given, key=lambda item: item[0].rank):
            if known.target in winners:
                self.ignored.append(known.name)
            else:
                winners[known.target] = known, value
        return list(winners.values())

    def settle(self, winners: list[Given]) -> dict[Path, Any]:
        """The values by target, with what they imply for other fields."""
        forced: dict[Path, Any] = {}
        implied: dict[Path, Any] = {}
        settled: dict[Path, Any] = {}
        for known, value in winners:
            if known.zero_means and value == 0:
                forced |= known.siblings(known.zero_means)
                continue
            settled[known.target] = self.normal(known, value)
            if known.implies:
                implied |= known.siblings(known.implies)
        self.ignored += [
            known.name for known, value in winners if forced.get(known.target, value) != value
        ]
        return implied | settled | forced

    def normal(self, known: Field, value: Any) -> Any:
        """The value in the one form that handlers see."""
        if known.cap is not None and value > known.cap:
            self.capped.append(known.name)
            return known.cap
        if known.keys:
            self.ignored += [f"{known.name}.{key}" for key in value if not _is_key(known, key)]
            return {key: item for key, item in value.items() if _is_key(known, key)}
        return _as_list(value) if known.is_list else value


def _is_key(known: Field, key: str) -> bool:
    """Whether the key is the plain decimal spelling of an integer that the field's keys allow."""
    is_plain = key.isascii() and key.isdecimal() and len(key) <= 20 and str(int(key)) == key
    return is_plain and known.keys is not None and known.keys.is_valid(int(key))


def _as_list(value: str | list[str]) -> list[str]:
    texts = [value] if isinstance(value, str) else value
    return [text for text in texts if text]


def _put(payload: dict[str, Any], path: Path, value: Any) -> None:
    *parents, name = path
    for parent in parents:
        payload = payload.setdefault(parent, {})
    payload[name] = value


def _fill(payload: dict[str, Any], fields: Fields) -> None:
    """Put in the defaults of what is absent, each body its own copy."""
    for name, known in fields.items():
        if known.members:
            _fill(payload.setdefault(name, {}), known.members)
        elif known.default is not None and not known.is_alias and name not in payload:
            payload[name] = _as_list(known.default) if known.is_list else copy(known.default)
