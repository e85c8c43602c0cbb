from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="DetokenizeResponse")


@_attrs_define
class DetokenizeResponse:
    """Tokens as a text.

    Attributes:
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        model_version (None | str): The version that the path named, null when it named none. Example: 1.
        text_output (str): The text. Example: The capital of.
    """

    model_name: str
    model_version: None | str
    text_output: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        model_name = self.model_name

        model_version: None | str
        model_version = self.model_version

        text_output = self.text_output

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "model_name": model_name,
                "model_version": model_version,
                "text_output": text_output,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        model_name = d.pop("model_name")

        def _parse_model_version(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        model_version = _parse_model_version(d.pop("model_version"))

        text_output = d.pop("text_output")

        detokenize_response = cls(
            model_name=model_name,
            model_version=model_version,
            text_output=text_output,
        )

        detokenize_response.additional_properties = d
        return detokenize_response

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
