from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.tensor_metadata import TensorMetadata


T = TypeVar("T", bound="ModelMetadata")


@_attrs_define
class ModelMetadata:
    """Facts about a model.

    Attributes:
        name (str): Name of a served model. Example: smollm2-135m-instruct.
        versions (list[str]): Versions that are served. Example: ['1'].
        platform (str): What computes the model, and its format, once it is loaded: genspec_transformers by the native
            decoder, pytorch_transformers by torch. Example: genspec_transformers.
        inputs (list[TensorMetadata]): What the model takes. Example: [{'name': 'text_input', 'datatype': 'BYTES',
            'shape': [1]}].
        outputs (list[TensorMetadata]): What the model gives. Example: [{'name': 'text_output', 'datatype': 'BYTES',
            'shape': [1]}].
    """

    name: str
    versions: list[str]
    platform: str
    inputs: list[TensorMetadata]
    outputs: list[TensorMetadata]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        versions = self.versions

        platform = self.platform

        inputs = []
        for inputs_item_data in self.inputs:
            inputs_item = inputs_item_data.to_dict()
            inputs.append(inputs_item)

        outputs = []
        for outputs_item_data in self.outputs:
            outputs_item = outputs_item_data.to_dict()
            outputs.append(outputs_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "versions": versions,
                "platform": platform,
                "inputs": inputs,
                "outputs": outputs,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.tensor_metadata import TensorMetadata

        d = dict(src_dict)
        name = d.pop("name")

        versions = cast(list[str], d.pop("versions"))

        platform = d.pop("platform")

        inputs = []
        _inputs = d.pop("inputs")
        for inputs_item_data in _inputs:
            inputs_item = TensorMetadata.from_dict(inputs_item_data)

            inputs.append(inputs_item)

        outputs = []
        _outputs = d.pop("outputs")
        for outputs_item_data in _outputs:
            outputs_item = TensorMetadata.from_dict(outputs_item_data)

            outputs.append(outputs_item)

        model_metadata = cls(
            name=name,
            versions=versions,
            platform=platform,
            inputs=inputs,
            outputs=outputs,
        )

        model_metadata.additional_properties = d
        return model_metadata

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
