"""The fields of a request body, with what the document's extension keys say of each."""

from dataclasses import dataclass
from typing import Any

from app.document import Document, merged
from app.validation import SchemaValidator

Path = tuple[str, ...]  # from the root of the body


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One property of a body. ``target`` differs from ``path`` for another spelling."""

    path: Path
    name: str  # the path with dots, as headers and messages have it
    target: Path
    rank: tuple[bool, int, bool]  # of several spellings of one target the lowest wins
    is_alias: bool
    is_nullable: bool
    may_be_empty: bool  # an empty string is absent, as null is
    is_ignored: bool
    is_list: bool
    is_only_item: bool
    unread: str | None  # what is said of it in a body that is not valid
    cap: int | None
    implies: dict[str, Any]
    zero_means: dict[str, Any]
    keys: SchemaValidator | None
    default: Any  # None: there is none
    members: "Fields"  # empty unless the property is an object with declared properties

    def is_absent(self, value: object) -> bool:
        """Whether the value is as good as none."""
        return (value is None and self.is_nullable) or (value == "" and self.may_be_empty)

    def siblings(self, values: dict[str, Any]) -> dict[Path, Any]:
        """Values by the names of fields that stand beside the target, keyed by their paths."""
        return {(*self.target[:-1], name): value for name, value in values.items()}


Fields = dict[str, Field]


def compile_fields(
    document: Document, schema: dict[str, Any], parent: Path = (), target: Path = ()
) -> Fields:
    """Read the properties of an object schema, and of the objects within, from a document.

    ``target`` is the path of the object that the values of this one end up in.
    """
    properties = merged(document, schema).get("properties", {})
    return {
        name: _compile_field(document, merged(document, declared), (*parent, name), target)
        for name, declared in properties.items()
    }


def _is_nullable(document: Document, schema: dict[str, Any]) -> bool:
    """Whether null is as good as nothing; of a choice one alternative says so."""
    alternatives = (merged(document, each) for each in schema.get("oneOf", ()))
    return (
        schema.get("nullable", False)
        or schema.get("x-ignored", False)
        or any(_is_nullable(document, alternative) for alternative in alternatives)
    )


def _compile_field(
    document: Document, schema: dict[str, Any], path: Path, target_parent: Path
) -> Field:
    keys = schema.get("x-keys")
    target = (*target_parent, *schema.get("x-alias-of", path[-1]).split("."))
    moved = tuple(schema["x-moves-to"].split(".")) if "x-moves-to" in schema else target
    is_only_item = schema.get("x-only-item", False)
    inner = schema["items"] if is_only_item and "items" in schema else schema
    return Field(
        path=path,
        name=".".join(path),
        target=target,
        rank=("x-cap-from" in schema, -len(path), path[-1] != target[-1]),
        is_alias=path != target,
        is_nullable=_is_nullable(document, schema),
        may_be_empty=schema.get("x-empty-is-absent", False),
        is_ignored=schema.get("x-ignored", False),
        is_list=schema.get("x-as-list", False),
        is_only_item=is_only_item,
        unread=schema.get("x-unread"),
        cap=schema.get("x-cap"),
        implies=schema.get("x-implies", {}),
        zero_means=schema.get("x-zero-means", {}),
        keys=SchemaValidator(document, keys) if keys else None,
        default=schema.get("default", {} if schema.get("type") == "object" else None),
        members=compile_fields(document, inner, path, moved),
    )
