from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.data_type import DataType

T = TypeVar("T", bound="InferOutput")


@_attrs_define
class InferOutput:
    """What follows the input, of the same datatype.

    Attributes:
        name (str): The name that was asked for. Example: output0.
        shape (list[int]): [1, n] for n token ids, [1] for a text. Example: [1, 2].
        datatype (DataType): Type of a tensor's elements; `BYTES` is text in UTF-8. Example: BYTES.
        data (list[int] | list[str]): The generated token ids, an end token counted, or the text. Example: [42, 30].
    """

    name: str
    shape: list[int]
    datatype: DataType
    data: list[int] | list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        shape = self.shape

        datatype = self.datatype.value

        data: list[int] | list[str]
        if isinstance(self.data, list):
            data = self.data

        else:
            data = self.data

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "shape": shape,
                "datatype": datatype,
                "data": data,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        name = d.pop("name")

        shape = cast(list[int], d.pop("shape"))

        datatype = DataType(d.pop("datatype"))

        def _parse_data(data: object) -> list[int] | list[str]:
            try:
                if not isinstance(data, list):
                    raise TypeError()
                data_type_0 = cast(list[int], data)

                return data_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, list):
                raise TypeError()
            data_type_1 = cast(list[str], data)

            return data_type_1

        data = _parse_data(d.pop("data"))

        infer_output = cls(
            name=name,
            shape=shape,
            datatype=datatype,
            data=data,
        )

        infer_output.additional_properties = d
        return infer_output

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
