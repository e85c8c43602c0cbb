from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.operation_formats_method import OperationFormatsMethod

T = TypeVar("T", bound="OperationFormats")


@_attrs_define
class OperationFormats:
    """What one operation takes and gives.

    Attributes:
        operation (str): Its `operationId` in this document. Example: generate_stream.
        method (OperationFormatsMethod): Its HTTP method. Example: POST.
        path (str): Its path for this model. Example: /v2/models/smollm2-135m-instruct/generate_stream.
        request (list[str]): Media types of its body; none where it has no body. Example: ['application/json'].
        answer (list[str]): Media types of its answer. Example: ['text/event-stream'].
    """

    operation: str
    method: OperationFormatsMethod
    path: str
    request: list[str]
    answer: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        operation = self.operation

        method = self.method.value

        path = self.path

        request = self.request

        answer = self.answer

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "operation": operation,
                "method": method,
                "path": path,
                "request": request,
                "answer": answer,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        operation = d.pop("operation")

        method = OperationFormatsMethod(d.pop("method"))

        path = d.pop("path")

        request = cast(list[str], d.pop("request"))

        answer = cast(list[str], d.pop("answer"))

        operation_formats = cls(
            operation=operation,
            method=method,
            path=path,
            request=request,
            answer=answer,
        )

        operation_formats.additional_properties = d
        return operation_formats

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
