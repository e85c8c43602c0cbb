from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.generate_parameters import GenerateParameters
    from ..models.infer_requested_output import InferRequestedOutput
    from ..models.text_tensor import TextTensor
    from ..models.token_tensor import TokenTensor


T = TypeVar("T", bound="InferRequest")


@_attrs_define
class InferRequest:
    """One tensor to continue.

    Attributes:
        inputs (list[TextTensor | TokenTensor]): The one tensor. Example: [{'name': 'input0', 'shape': [1, 3],
            'datatype': 'UINT32', 'data': [504, 3575, 282]}].
        id (None | str | Unset): Echoed in the answer; the server makes one when absent. Need not be unique. Example:
            a123.
        outputs (list[InferRequestedOutput] | None | Unset): The one tensor that is wanted. Example: [{'name':
            'output0'}].
        parameters (GenerateParameters | Unset): How to continue the text; every field may be left out.
    """

    inputs: list[TextTensor | TokenTensor]
    id: None | str | Unset = UNSET
    outputs: list[InferRequestedOutput] | None | Unset = UNSET
    parameters: GenerateParameters | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.token_tensor import TokenTensor

        inputs = []
        for inputs_item_data in self.inputs:
            inputs_item: dict[str, Any]
            if isinstance(inputs_item_data, TokenTensor):
                inputs_item = inputs_item_data.to_dict()
            else:
                inputs_item = inputs_item_data.to_dict()

            inputs.append(inputs_item)

        id: None | str | Unset
        if isinstance(self.id, Unset):
            id = UNSET
        else:
            id = self.id

        outputs: list[dict[str, Any]] | None | Unset
        if isinstance(self.outputs, Unset):
            outputs = UNSET
        elif isinstance(self.outputs, list):
            outputs = []
            for outputs_type_0_item_data in self.outputs:
                outputs_type_0_item = outputs_type_0_item_data.to_dict()
                outputs.append(outputs_type_0_item)

        else:
            outputs = self.outputs

        parameters: dict[str, Any] | Unset = UNSET
        if not isinstance(self.parameters, Unset):
            parameters = self.parameters.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "inputs": inputs,
            }
        )
        if id is not UNSET:
            field_dict["id"] = id
        if outputs is not UNSET:
            field_dict["outputs"] = outputs
        if parameters is not UNSET:
            field_dict["parameters"] = parameters

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.generate_parameters import GenerateParameters
        from ..models.infer_requested_output import InferRequestedOutput
        from ..models.text_tensor import TextTensor
        from ..models.token_tensor import TokenTensor

        d = dict(src_dict)
        inputs = []
        _inputs = d.pop("inputs")
        for inputs_item_data in _inputs:

            def _parse_inputs_item(data: object) -> TextTensor | TokenTensor:
                try:
                    if not isinstance(data, dict):
                        raise TypeError()
                    componentsschemas_infer_input_type_0 = TokenTensor.from_dict(data)

                    return componentsschemas_infer_input_type_0
                except (TypeError, ValueError, AttributeError, KeyError):
                    pass
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_infer_input_type_1 = TextTensor.from_dict(data)

                return componentsschemas_infer_input_type_1

            inputs_item = _parse_inputs_item(inputs_item_data)

            inputs.append(inputs_item)

        def _parse_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        id = _parse_id(d.pop("id", UNSET))

        def _parse_outputs(data: object) -> list[InferRequestedOutput] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                outputs_type_0 = []
                _outputs_type_0 = data
                for outputs_type_0_item_data in _outputs_type_0:
                    outputs_type_0_item = InferRequestedOutput.from_dict(
                        outputs_type_0_item_data
                    )

                    outputs_type_0.append(outputs_type_0_item)

                return outputs_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[InferRequestedOutput] | None | Unset, data)

        outputs = _parse_outputs(d.pop("outputs", UNSET))

        _parameters = d.pop("parameters", UNSET)
        parameters: GenerateParameters | Unset
        if isinstance(_parameters, Unset):
            parameters = UNSET
        else:
            parameters = GenerateParameters.from_dict(_parameters)

        infer_request = cls(
            inputs=inputs,
            id=id,
            outputs=outputs,
            parameters=parameters,
        )

        infer_request.additional_properties = d
        return infer_request

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
