from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.parameter_capability_schema import ParameterCapabilitySchema


T = TypeVar("T", bound="ParameterCapability")


@_attrs_define
class ParameterCapability:
    """One field of `parameters`.

    Attributes:
        name (str): Its name under `parameters`. Example: top_k.
        other_names (list[str]): Its other spellings, dotted from the root of the body. Example: ['top_k'].
        is_ignored (bool): Whether it is accepted without effect, and named in X-Ignored-Fields. Example: False.
        schema (ParameterCapabilitySchema): Its JSON Schema as OpenAPI 3.0 has it, with the limits of this deployment
            and without references. Example: {'type': 'integer', 'minimum': 0, 'maximum': 49151, 'default': 0}.
    """

    name: str
    other_names: list[str]
    is_ignored: bool
    schema: ParameterCapabilitySchema
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        other_names = self.other_names

        is_ignored = self.is_ignored

        schema = self.schema.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "other_names": other_names,
                "is_ignored": is_ignored,
                "schema": schema,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.parameter_capability_schema import ParameterCapabilitySchema

        d = dict(src_dict)
        name = d.pop("name")

        other_names = cast(list[str], d.pop("other_names"))

        is_ignored = d.pop("is_ignored")

        schema = ParameterCapabilitySchema.from_dict(d.pop("schema"))

        parameter_capability = cls(
            name=name,
            other_names=other_names,
            is_ignored=is_ignored,
            schema=schema,
        )

        parameter_capability.additional_properties = d
        return parameter_capability

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
