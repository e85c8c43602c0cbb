"""Two schemas of the same place: what one let through, or promised, and the other does not."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from app.document import Document, merged

Node = dict[str, Any]

_HIGHEST = ("maximum", "maxLength", "maxItems", "maxProperties")
_LOWEST = ("minimum", "minLength", "minItems", "minProperties")
# What a request means; a removed one of these only lets more through.
_NARROWING_KEYS = {"x-maximum-from", "x-max-items-from"}
_SILENT_KEYS = {"x-example-from", "x-unbounded", "x-unread", "x-event-schema", "x-only-with"}


@dataclass(frozen=True)
class Comparison:
    """``is_request``: clients send what is described; otherwise they are given it."""

    old: Document
    new: Document
    is_request: bool
    # By identity, which lasts as long as the schemas beside it: many places refer to the same.
    _known: dict[tuple[int, int], tuple[Node, Node, list[str]]] = field(default_factory=dict)

    def changes(self, place: str, old: Node, new: Node) -> Iterator[str]:
        """Of the breaking kind."""
        key = id(old), id(new)
        if key not in self._known:
            self._known[key] = old, new, list(self._changes("", old, new))
        yield from (f"{place}{change}" for change in self._known[key][2])

    def _changes(self, place: str, old: Node, new: Node) -> Iterator[str]:
        old, new = merged(self.old, old), merged(self.new, new)
        if old.get("type") != new.get("type") or old.get("format") != new.get("format"):
            yield f"{place}: was {_kind(old)} and is {_kind(new)}"
            return
        yield from self._enumerations(place, old, new)
        yield from self._nulls(place, old, new)
        if self.is_request:
            yield from _bounds(place, old, new)
            yield from _meaning(place, old, new)
        yield from self._properties(place, old, new)
        yield from self._parts(place, old, new)
        for key in ("oneOf", "anyOf"):
            yield from self._alternatives(f"{place}|{key}", old, new, key)

    def _enumerations(self, place: str, old: Node, new: Node) -> Iterator[str]:
        """A request loses values that it might have; an answer gets some that nobody expects."""
        before, after = old.get("enum"), new.get("enum")
        narrow, wide = (after, before) if self.is_request else (before, after)
        if narrow is not None and (wide is None or set(wide) - set(narrow)):
            yield f"{place}: enum was {before} and is {after}"

    def _nulls(self, place: str, old: Node, new: Node) -> Iterator[str]:
        before, after = old.get("nullable", False), new.get("nullable", False)
        if before != after and before == self.is_request:
            yield f"{place}: null was {'' if before else 'not '}possible"

    def _properties(self, place: str, old: Node, new: Node) -> Iterator[str]:
        before, after = old.get("properties", {}), new.get("properties", {})
        for name in before.keys() - after.keys():
            yield f"{place}.{name}: is gone"
        for name in before.keys() & after.keys():
            yield from self.changes(f"{place}.{name}", before[name], after[name])
        had, has = set(old.get("required", ())), set(new.get("required", ()))
        for name in (has - had) if self.is_request else (had - has) & after.keys():
            yield f"{place}.{name}: is {'required now' if self.is_request else 'no longer certain'}"

    def _parts(self, place: str, old: Node, new: Node) -> Iterator[str]:
        for key in ("items", "additionalProperties"):
            before, after = old.get(key, {}), new.get(key, {})
            if isinstance(before, dict) and isinstance(after, dict):
                yield from self.changes(f"{place}[]", before, after) if before or after else ()
            elif self.is_request and after is False:
                yield f"{place}[]: is forbidden"

    def _alternatives(self, place: str, old: Node, new: Node, key: str) -> Iterator[str]:
        """Each that a client may send must still be there; each that it may get was there."""
        before, after = old.get(key, []), new.get(key, [])
        if bool(before) != bool(after):
            yield f"{place}: {'is gone' if before else 'is new'}"
            return
        for one in before if self.is_request else after:
            others = after if self.is_request else before
            pairs = ((one, it) if self.is_request else (it, one) for it in others)
            if all(next(self.changes(place, *pair), None) is not None for pair in pairs):
                yield f"{place}: {_kind(one)} is {'gone' if self.is_request else 'new'}"


def _kind(schema: Node) -> str:
    words = [str(schema[key]) for key in ("type", "format", "$ref") if key in schema]
    return " ".join(words) or "of any type"


def _bounds(place: str, old: Node, new: Node) -> Iterator[str]:
    for key in _HIGHEST:
        if key in new and new[key] < old.get(key, float("inf")):
            yield f"{place}: {key} was {old.get(key)} and is {new[key]}"
    for key in _LOWEST:
        if key in new and new[key] > old.get(key, float("-inf")):
            yield f"{place}: {key} was {old.get(key)} and is {new[key]}"
    for key in ("exclusiveMinimum", "exclusiveMaximum", "uniqueItems"):
        if new.get(key, False) and not old.get(key, False):
            yield f"{place}: {key} is new"
    if "pattern" in new and new["pattern"] != old.get("pattern"):
        yield f"{place}: pattern was {old.get('pattern')} and is {new['pattern']}"


def _meaning(place: str, old: Node, new: Node) -> Iterator[str]:
    """Of what is sent, or left out."""
    if old.get("default") != new.get("default"):
        yield f"{place}: default was {old.get('default')!r} and is {new.get('default')!r}"
    keys = {key for key in old.keys() | new.keys() if key.startswith("x-")} - _SILENT_KEYS
    for key in sorted(keys):
        is_removed_bound = key in _NARROWING_KEYS and key not in new
        if old.get(key) != new.get(key) and not is_removed_bound:
            yield f"{place}: {key} was {old.get(key)!r} and is {new.get(key)!r}"
