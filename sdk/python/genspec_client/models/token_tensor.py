from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.token_tensor_datatype import TokenTensorDatatype
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.tensor_parameters import TensorParameters


T = TypeVar("T", bound="TokenTensor")


@_attrs_define
class TokenTensor:
    """Token ids.

    Attributes:
        name (str): Name of the tensor. Example: input0.
        shape (list[int]): [n] or [1, n] for n token ids, [1] for a text. Without effect, since the data itself says how
            long it is. Example: [1, 3].
        datatype (TokenTensorDatatype): Of token ids. Example: UINT32.
        data (list[int] | list[list[int]]): The token ids, also as a list of one list. Example: [504, 3575, 282].
        parameters (TensorParameters | Unset): How to continue the tensor; every field may be left out.
    """

    name: str
    shape: list[int]
    datatype: TokenTensorDatatype
    data: list[int] | list[list[int]]
    parameters: TensorParameters | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        shape = self.shape

        datatype = self.datatype.value

        data: list[int] | list[list[int]]
        if isinstance(self.data, list):
            data = self.data

        else:
            data = []
            for data_type_1_item_data in self.data:
                data_type_1_item = data_type_1_item_data

                data.append(data_type_1_item)

        parameters: dict[str, Any] | Unset = UNSET
        if not isinstance(self.parameters, Unset):
            parameters = self.parameters.to_dict()

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
        if parameters is not UNSET:
            field_dict["parameters"] = parameters

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.tensor_parameters import TensorParameters

        d = dict(src_dict)
        name = d.pop("name")

        shape = cast(list[int], d.pop("shape"))

        datatype = TokenTensorDatatype(d.pop("datatype"))

        def _parse_data(data: object) -> list[int] | list[list[int]]:
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

        data = _parse_data(d.pop("data"))

        _parameters = d.pop("parameters", UNSET)
        parameters: TensorParameters | Unset
        if isinstance(_parameters, Unset):
            parameters = UNSET
        else:
            parameters = TensorParameters.from_dict(_parameters)

        token_tensor = cls(
            name=name,
            shape=shape,
            datatype=datatype,
            data=data,
            parameters=parameters,
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
