from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.generate_parameters import GenerateParameters


T = TypeVar("T", bound="DryRun")


@_attrs_define
class DryRun:
    """What would apply to the request; there, with an empty `text_output`, if the query's `dry_run` is true.

    Example:
        {'num_prompt_tokens': 5, 'max_output_tokens': 16, 'parameters': {'do_sample': True, 'max_new_tokens': 16,
            'temperature': 0.7}, 'ignored_fields': ['parameters.temprature'], 'capped_fields': []}

    Attributes:
        num_prompt_tokens (int): How many tokens the prompt has. Example: 5.
        max_output_tokens (int): The most tokens that would be generated, `max_new_tokens` or what room the prompt
            leaves. Example: 16.
        parameters (GenerateParameters): How to continue the text; every field may be left out.
        ignored_fields (list[str]): Every field without effect, as X-Ignored-Fields names them, uncut. Example:
            ['parameters.temprature'].
        capped_fields (list[str]): Every field that was lowered to a limit. Example: ['max_tokens'].
    """

    num_prompt_tokens: int
    max_output_tokens: int
    parameters: GenerateParameters
    ignored_fields: list[str]
    capped_fields: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        num_prompt_tokens = self.num_prompt_tokens

        max_output_tokens = self.max_output_tokens

        parameters = self.parameters.to_dict()

        ignored_fields = self.ignored_fields

        capped_fields = self.capped_fields

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "num_prompt_tokens": num_prompt_tokens,
                "max_output_tokens": max_output_tokens,
                "parameters": parameters,
                "ignored_fields": ignored_fields,
                "capped_fields": capped_fields,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.generate_parameters import GenerateParameters

        d = dict(src_dict)
        num_prompt_tokens = d.pop("num_prompt_tokens")

        max_output_tokens = d.pop("max_output_tokens")

        parameters = GenerateParameters.from_dict(d.pop("parameters"))

        ignored_fields = cast(list[str], d.pop("ignored_fields"))

        capped_fields = cast(list[str], d.pop("capped_fields"))

        dry_run = cls(
            num_prompt_tokens=num_prompt_tokens,
            max_output_tokens=max_output_tokens,
            parameters=parameters,
            ignored_fields=ignored_fields,
            capped_fields=capped_fields,
        )

        dry_run.additional_properties = d
        return dry_run

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
