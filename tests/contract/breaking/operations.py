"""Two documents: what the operations of one no longer take, or no longer give, in the other."""

from collections.abc import Iterator
from typing import Any

from app.document import Document, resolve
from tests.contract.breaking.schemas import Comparison
from tests.documents import operations

Node = dict[str, Any]


def breaking_changes(old: Document, new: Document) -> list[str]:
    """``place: what`` for each; what is new and can be left alone is none."""
    return sorted(_changes(old, new))


def _changes(old: Document, new: Document) -> Iterator[str]:
    comparisons = [Comparison(old, new, is_request=it) for it in (True, False)]
    after = {(path, method): operation for path, method, operation in operations(new)}
    for path, method, operation in operations(old):
        place = f"{method.upper()} {path}"
        if (path, method) not in after:
            yield f"{place}: is gone"
            continue
        pair = operation, after[path, method]
        yield from _Operation(place, path, pair, *comparisons).changes()


class _Operation:
    """One operation in both documents."""

    def __init__(
        self, place: str, path: str, pair: tuple[Node, Node], asked: Comparison, given: Comparison
    ) -> None:
        self.place, self.asked, self.given = place, asked, given
        self.old, self.new = asked.old, asked.new
        self.before, self.after = pair
        self.shared = [it["paths"][path].get("parameters", []) for it in (self.old, self.new)]

    def changes(self) -> Iterator[str]:
        names = self.before["operationId"], self.after["operationId"]
        if names[0] != names[1]:
            yield f"{self.place}: operationId was {names[0]} and is {names[1]}"
        if self._is_open(self.old, self.before) and not self._is_open(self.new, self.after):
            yield f"{self.place}: needs a key now"
        yield from self._parameters()
        yield from self._body()
        yield from self._answers()

    @staticmethod
    def _is_open(document: Document, operation: Node) -> bool:
        return not operation.get("security", document.get("security", []))

    def _parameters(self) -> Iterator[str]:
        before = _named(self.old, [*self.shared[0], *self.before.get("parameters", [])])
        after = _named(self.new, [*self.shared[1], *self.after.get("parameters", [])])
        for key in before.keys() - after.keys():
            yield f"{self.place} {' '.join(key)}: is gone"
        for key, parameter in after.items():
            place = f"{self.place} {' '.join(key)}"
            is_required = parameter.get("required", False)
            if is_required and not before.get(key, {}).get("required", False):
                yield f"{place}: is required now"
            if key in before:
                yield from self.asked.changes(place, before[key]["schema"], parameter["schema"])

    def _body(self) -> Iterator[str]:
        before = resolve(self.old, self.before.get("requestBody", {}))
        after = resolve(self.new, self.after.get("requestBody", {}))
        if after.get("required", False) and not before.get("required", False):
            yield f"{self.place} body: is required now"
        for media_type in sorted(_media_types(before) - _media_types(after)):
            yield f"{self.place} body: {media_type} is gone"
        yield from self._contents(self.asked, "body", before, after)

    def _answers(self) -> Iterator[str]:
        for status, response in self.before["responses"].items():
            if status not in self.after["responses"]:
                yield f"{self.place} {status}: is gone"
                continue
            before = resolve(self.old, response)
            after = resolve(self.new, self.after["responses"][status])
            for media_type in sorted(before["content"].keys() ^ after["content"].keys()):
                yield f"{self.place} {status}: {media_type} is gone, or new"
            yield from self._contents(self.given, status, before, after)
            yield from self._headers(status, before.get("headers", {}), after.get("headers", {}))

    def _contents(
        self, comparison: Comparison, part: str, before: Node, after: Node
    ) -> Iterator[str]:
        contents = before.get("content", {}), after.get("content", {})
        for media_type in contents[0].keys() & contents[1].keys():
            schemas = [each[media_type] for each in contents]
            old, new = (it.get("x-event-schema", it["schema"]) for it in schemas)
            yield from comparison.changes(f"{self.place} {part} ", old, new)

    def _headers(self, status: str, before: Node, after: Node) -> Iterator[str]:
        for name in before.keys() - after.keys():
            yield f"{self.place} {status} {name}: is gone"
        for name in before.keys() & after.keys():
            old, new = resolve(self.old, before[name]), resolve(self.new, after[name])
            place = f"{self.place} {status} {name}"
            if old.get("required", False) and not new.get("required", False):
                yield f"{place}: is no longer certain"
            yield from self.given.changes(place, old["schema"], new["schema"])


def _named(document: Document, parameters: list[Node]) -> dict[tuple[str, str], Node]:
    resolved = (resolve(document, each) for each in parameters)
    return {(each["in"], each["name"]): each for each in resolved}


def _media_types(body: Node) -> set[str]:
    return {*body.get("content", {}), *body.get("x-also-json", ())}
