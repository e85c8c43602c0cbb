from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.data_type import DataType

T = TypeVar("T", bound="TensorMetadata")


@_attrs_define
class TensorMetadata:
    """Name, type and shape of an input or output.

    Attributes:
        name (str): Name of the tensor. Example: text_input.
        datatype (DataType): Type of a tensor's elements; `BYTES` is text in UTF-8. Example: BYTES.
        shape (list[int]): Size of each dimension; -1 is any. Example: [1].
    """

    name: str
    datatype: DataType
    shape: list[int]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        datatype = self.datatype.value

        shape = self.shape

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "datatype": datatype,
                "shape": shape,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        name = d.pop("name")

        datatype = DataType(d.pop("datatype"))

        shape = cast(list[int], d.pop("shape"))

        tensor_metadata = cls(
            name=name,
            datatype=datatype,
            shape=shape,
        )

        tensor_metadata.additional_properties = d
        return tensor_metadata

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
