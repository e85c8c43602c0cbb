from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.token_tensor_datatype import TokenTensorDatatype
from ..types import UNSET, Unset

T = TypeVar("T", bound="TokenTensor")


@_attrs_define
class TokenTensor:
    """Token ids.

    Attributes:
        datatype (TokenTensorDatatype | Unset): Of token ids. Example: UINT32.
        data (list[int] | list[list[int]] | Unset): The token ids, also as a list of one list. Example: [504, 3575,
            282].
    """

    datatype: TokenTensorDatatype | Unset = UNSET
    data: list[int] | list[list[int]] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        datatype: str | Unset = UNSET
        if not isinstance(self.datatype, Unset):
            datatype = self.datatype.value

        data: list[int] | list[list[int]] | Unset
        if isinstance(self.data, Unset):
            data = UNSET
        elif isinstance(self.data, list):
            data = self.data

        else:
            data = []
            for data_type_1_item_data in self.data:
                data_type_1_item = data_type_1_item_data

                data.append(data_type_1_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if datatype is not UNSET:
            field_dict["datatype"] = datatype
        if data is not UNSET:
            field_dict["data"] = data

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        _datatype = d.pop("datatype", UNSET)
        datatype: TokenTensorDatatype | Unset
        if isinstance(_datatype, Unset):
            datatype = UNSET
        else:
            datatype = TokenTensorDatatype(_datatype)

        def _parse_data(data: object) -> list[int] | list[list[int]] | Unset:
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                data_type_0 = cast(list[int], data)

                return data_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            if not isinstance(data, list):
                raise TypeError()
            data_type_1 = []
            _data_type_1 = data
            for data_type_1_item_data in _data_type_1:
                data_type_1_item = cast(list[int], data_type_1_item_data)

                data_type_1.append(data_type_1_item)

            return data_type_1

        data = _parse_data(d.pop("data", UNSET))

        token_tensor = cls(
            datatype=datatype,
            data=data,
        )

        token_tensor.additional_properties = d
        return token_tensor

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
