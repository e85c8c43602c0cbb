"""Our document, with the limits that the server says it has."""

from dataclasses import dataclass
from typing import Any

import jsonschema_rs

from app.conform.target import Answer, Request, Target
from app.document import Document, fold, load_document, resolve
from app.document_features import select
from app.explanation import compiled
from app.settings import SettingsError


@dataclass(frozen=True, slots=True)
class Subject:
    """What the checks are made for: one model of the server."""

    model: str
    version: str
    document: Document

    @property
    def path(self) -> str:
        return f"/v2/models/{self.model}"

    def problem(self, schema: dict[str, Any], value: object) -> str | None:
        """What is wrong with a part of an answer; None where nothing is."""
        nullable = _with_nulls(self.document["components"])
        try:
            compiled(_with_nulls(schema), nullable).validate(value)
        except jsonschema_rs.ValidationError as exc:
            where = ".".join(map(str, exc.instance_path))
            return f"{where or 'the body'}: {exc.message[:120]}"
        return None

    def answer_schema(self, operation: dict[str, Any]) -> dict[str, Any]:
        """Of the good answer in JSON, or of one event."""
        [content] = resolve(self.document, operation["responses"]["200"])["content"].values()
        schema: dict[str, Any] = content.get("x-event-schema", content["schema"])
        return schema


def find_subject(target: Target, model: str | None) -> Subject:
    """Raises SettingsError where the server does not tell what is needed, and OSError."""
    name = model or _own_name(target)
    config = _get(target, f"/v2/models/{name}/config")
    try:
        limits = {
            "max_iter_times": config["max_iter_times"],
            "max_token_id": config["vocab_size"] - 1,
            "model_name": config["model_name"],
            "model_version": config["model_version"],
        }
    except (TypeError, KeyError):
        raise SettingsError(f"url: /v2/models/{name}/config does not tell its limits") from None
    document = fold(select(load_document(), ()), limits)
    return Subject(name, config["model_version"], document)


def _own_name(target: Target) -> str:
    document = _get(target, "/openapi.json")
    try:
        return str(document["components"]["parameters"]["ModelName"]["example"])
    except (TypeError, KeyError):
        raise SettingsError("model: the server does not tell its model; name one") from None


def _get(target: Target, path: str) -> Any:
    answer: Answer = target.ask(Request("GET", path))
    return answer.json() if answer.status == 200 else None


def _with_nulls(node: Any) -> Any:
    """A copy that says in JSON Schema what ``nullable`` says."""
    if isinstance(node, list):
        return [_with_nulls(item) for item in node]
    if not isinstance(node, dict):
        return node
    copied = {name: _with_nulls(item) for name, item in node.items()}
    if copied.get("nullable") is True and isinstance(copied.get("type"), str):
        copied["type"] = [copied["type"], "null"]
    return copied
