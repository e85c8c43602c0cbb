from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="DataElsewhere")


@_attrs_define
class DataElsewhere:
    """What says that the data is elsewhere than in `data`.

    Attributes:
        binary_data_size (Any | Unset): Ignored beside `data`, refused without it. Example: 0.
        shared_memory_region (Any | Unset): Ignored beside `data`, refused without it. Example: region.
    """

    binary_data_size: Any | Unset = UNSET
    shared_memory_region: Any | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        binary_data_size = self.binary_data_size

        shared_memory_region = self.shared_memory_region

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if binary_data_size is not UNSET:
            field_dict["binary_data_size"] = binary_data_size
        if shared_memory_region is not UNSET:
            field_dict["shared_memory_region"] = shared_memory_region

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        binary_data_size = d.pop("binary_data_size", UNSET)

        shared_memory_region = d.pop("shared_memory_region", UNSET)

        data_elsewhere = cls(
            binary_data_size=binary_data_size,
            shared_memory_region=shared_memory_region,
        )

        data_elsewhere.additional_properties = d
        return data_elsewhere

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
