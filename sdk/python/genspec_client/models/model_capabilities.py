from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.data_type import DataType
from ..models.determinism import Determinism

if TYPE_CHECKING:
    from ..models.operation_formats import OperationFormats
    from ..models.parameter_capability import ParameterCapability


T = TypeVar("T", bound="ModelCapabilities")


@_attrs_define
class ModelCapabilities:
    """What a model can be asked for here.

    Attributes:
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        model_version (str): Version of a served model. Example: 1.
        parameters (list[ParameterCapability]): The fields of `parameters`, each once. Example: [{'name':
            'max_new_tokens', 'other_names': ['parameters.max_tokens', 'max_new_tokens', 'max_tokens'], 'is_ignored': False,
            'schema': {'type': 'integer', 'format': 'int32', 'minimum': 1, 'maximum': 512, 'default': 20}}].
        formats (list[OperationFormats]): What the operations on the model take and give. Example: [{'operation':
            'generate', 'method': 'POST', 'path': '/v2/models/smollm2-135m-instruct/generate', 'request':
            ['application/json'], 'answer': ['application/json']}].
        datatypes (list[DataType]): What tensors may consist of. Example: ['BYTES', 'UINT32'].
        max_prompt_tokens (int): The most tokens of a prompt. Example: 2048.
        device (str): What computes the model; `auto` until it is loaded. Example: cpu.
        dtype (str): The type of the weights; `auto` until the model is loaded. Example: float32.
        quantisation (None | str): How the weights are stored in fewer bits than they are computed in, if they are.
            Example: int8.
        decoder (str): The code that computes the model; `auto` until it is loaded. Example: native.
        determinism (Determinism): `batch_invariant` - the same seed and request give the same text whatever runs beside
            them. `single_request` - they do while nothing else runs; until the model is loaded no more is promised.
            Example: batch_invariant.
    """

    model_name: str
    model_version: str
    parameters: list[ParameterCapability]
    formats: list[OperationFormats]
    datatypes: list[DataType]
    max_prompt_tokens: int
    device: str
    dtype: str
    quantisation: None | str
    decoder: str
    determinism: Determinism
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        model_name = self.model_name

        model_version = self.model_version

        parameters = []
        for parameters_item_data in self.parameters:
            parameters_item = parameters_item_data.to_dict()
            parameters.append(parameters_item)

        formats = []
        for formats_item_data in self.formats:
            formats_item = formats_item_data.to_dict()
            formats.append(formats_item)

        datatypes = []
        for datatypes_item_data in self.datatypes:
            datatypes_item = datatypes_item_data.value
            datatypes.append(datatypes_item)

        max_prompt_tokens = self.max_prompt_tokens

        device = self.device

        dtype = self.dtype

        quantisation: None | str
        quantisation = self.quantisation

        decoder = self.decoder

        determinism = self.determinism.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "model_name": model_name,
                "model_version": model_version,
                "parameters": parameters,
                "formats": formats,
                "datatypes": datatypes,
                "max_prompt_tokens": max_prompt_tokens,
                "device": device,
                "dtype": dtype,
                "quantisation": quantisation,
                "decoder": decoder,
                "determinism": determinism,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.operation_formats import OperationFormats
        from ..models.parameter_capability import ParameterCapability

        d = dict(src_dict)
        model_name = d.pop("model_name")

        model_version = d.pop("model_version")

        parameters = []
        _parameters = d.pop("parameters")
        for parameters_item_data in _parameters:
            parameters_item = ParameterCapability.from_dict(parameters_item_data)

            parameters.append(parameters_item)

        formats = []
        _formats = d.pop("formats")
        for formats_item_data in _formats:
            formats_item = OperationFormats.from_dict(formats_item_data)

            formats.append(formats_item)

        datatypes = []
        _datatypes = d.pop("datatypes")
        for datatypes_item_data in _datatypes:
            datatypes_item = DataType(datatypes_item_data)

            datatypes.append(datatypes_item)

        max_prompt_tokens = d.pop("max_prompt_tokens")

        device = d.pop("device")

        dtype = d.pop("dtype")

        def _parse_quantisation(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        quantisation = _parse_quantisation(d.pop("quantisation"))

        decoder = d.pop("decoder")

        determinism = Determinism(d.pop("determinism"))

        model_capabilities = cls(
            model_name=model_name,
            model_version=model_version,
            parameters=parameters,
            formats=formats,
            datatypes=datatypes,
            max_prompt_tokens=max_prompt_tokens,
            device=device,
            dtype=dtype,
            quantisation=quantisation,
            decoder=decoder,
            determinism=determinism,
        )

        model_capabilities.additional_properties = d
        return model_capabilities

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
