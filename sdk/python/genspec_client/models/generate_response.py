from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.dry_run import DryRun
    from ..models.generate_details import GenerateDetails


T = TypeVar("T", bound="GenerateResponse")


@_attrs_define
class GenerateResponse:
    """The continuation of one text.

    Attributes:
        id (str): The request's `id`, or the server's own. Example: a123.
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        model_version (None | str): The version that the path named, null when it named none. Example: 1.
        text_output (str): What follows the prompt, without the prompt, and without a character that is not complete
            when the generation ends. Example:  Paris..
        details (GenerateDetails | Unset): How the text came about; there if `details` or `perf_stat` is asked for.
        dry_run (DryRun | Unset): What would apply to the request; there, with an empty `text_output`, if the query's
            `dry_run` is true. Example: {'num_prompt_tokens': 5, 'max_output_tokens': 16, 'parameters': {'do_sample': True,
            'max_new_tokens': 16, 'temperature': 0.7}, 'ignored_fields': ['parameters.temprature'], 'capped_fields': []}.
    """

    id: str
    model_name: str
    model_version: None | str
    text_output: str
    details: GenerateDetails | Unset = UNSET
    dry_run: DryRun | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        model_name = self.model_name

        model_version: None | str
        model_version = self.model_version

        text_output = self.text_output

        details: dict[str, Any] | Unset = UNSET
        if not isinstance(self.details, Unset):
            details = self.details.to_dict()

        dry_run: dict[str, Any] | Unset = UNSET
        if not isinstance(self.dry_run, Unset):
            dry_run = self.dry_run.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "model_name": model_name,
                "model_version": model_version,
                "text_output": text_output,
            }
        )
        if details is not UNSET:
            field_dict["details"] = details
        if dry_run is not UNSET:
            field_dict["dry_run"] = dry_run

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.dry_run import DryRun
        from ..models.generate_details import GenerateDetails

        d = dict(src_dict)
        id = d.pop("id")

        model_name = d.pop("model_name")

        def _parse_model_version(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        model_version = _parse_model_version(d.pop("model_version"))

        text_output = d.pop("text_output")

        _details = d.pop("details", UNSET)
        details: GenerateDetails | Unset
        if isinstance(_details, Unset):
            details = UNSET
        else:
            details = GenerateDetails.from_dict(_details)

        _dry_run = d.pop("dry_run", UNSET)
        dry_run: DryRun | Unset
        if isinstance(_dry_run, Unset):
            dry_run = UNSET
        else:
            dry_run = DryRun.from_dict(_dry_run)

        generate_response = cls(
            id=id,
            model_name=model_name,
            model_version=model_version,
            text_output=text_output,
            details=details,
            dry_run=dry_run,
        )

        generate_response.additional_properties = d
        return generate_response

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
