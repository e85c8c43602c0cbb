from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.generate_details import GenerateDetails
    from ..models.infer_output import InferOutput


T = TypeVar("T", bound="InferResponse")


@_attrs_define
class InferResponse:
    """The continuation of one tensor.

    Attributes:
        id (str): The request's `id`, or the server's own. Example: a123.
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        model_version (None | str): The version that the path named, null when it named none. Example: 1.
        outputs (list[InferOutput]): The one tensor. Example: [{'name': 'output0', 'shape': [1, 2], 'datatype':
            'UINT32', 'data': [42, 30]}].
        details (GenerateDetails | Unset): How the text came about; there if `details` or `perf_stat` is asked for.
    """

    id: str
    model_name: str
    model_version: None | str
    outputs: list[InferOutput]
    details: GenerateDetails | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        model_name = self.model_name

        model_version: None | str
        model_version = self.model_version

        outputs = []
        for outputs_item_data in self.outputs:
            outputs_item = outputs_item_data.to_dict()
            outputs.append(outputs_item)

        details: dict[str, Any] | Unset = UNSET
        if not isinstance(self.details, Unset):
            details = self.details.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "model_name": model_name,
                "model_version": model_version,
                "outputs": outputs,
            }
        )
        if details is not UNSET:
            field_dict["details"] = details

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.generate_details import GenerateDetails
        from ..models.infer_output import InferOutput

        d = dict(src_dict)
        id = d.pop("id")

        model_name = d.pop("model_name")

        def _parse_model_version(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        model_version = _parse_model_version(d.pop("model_version"))

        outputs = []
        _outputs = d.pop("outputs")
        for outputs_item_data in _outputs:
            outputs_item = InferOutput.from_dict(outputs_item_data)

            outputs.append(outputs_item)

        _details = d.pop("details", UNSET)
        details: GenerateDetails | Unset
        if isinstance(_details, Unset):
            details = UNSET
        else:
            details = GenerateDetails.from_dict(_details)

        infer_response = cls(
            id=id,
            model_name=model_name,
            model_version=model_version,
            outputs=outputs,
            details=details,
        )

        infer_response.additional_properties = d
        return infer_response

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
