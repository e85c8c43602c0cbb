from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.event_details import EventDetails


T = TypeVar("T", bound="GenerateEvent")


@_attrs_define
class GenerateEvent:
    """What one token brings.

    Attributes:
        id (str): The request's `id`, or the server's own. Example: a123.
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        model_version (None | str): The version that the path named, null when it named none. Example: 1.
        text_output (str): New text; empty while a character, or what may be a stop string, is not complete. Example:
            Paris.
        details (EventDetails | Unset): How the text came about so far; there if `details` or `perf_stat` is asked for.
            Only the last event has a `finish_reason`, and `tokens` are those of the event alone. Example: {'finish_reason':
            'eos_token', 'generated_tokens': 3, 'first_token_cost': 41.5, 'decode_cost': 24.8, 'perf_stat': [[42, 41], [30,
            12], [2, 13]], 'seed': 123}.
        prefill_time (float | Unset): Milliseconds from arrival to the first token. In the first event, if `perf_stat`
            is asked for. Example: 41.5.
        decode_time (float | Unset): Milliseconds since the token before. In later events, if `perf_stat` is asked for.
            Example: 12.4.
    """

    id: str
    model_name: str
    model_version: None | str
    text_output: str
    details: EventDetails | Unset = UNSET
    prefill_time: float | Unset = UNSET
    decode_time: float | Unset = UNSET
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

        prefill_time = self.prefill_time

        decode_time = self.decode_time

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
        if prefill_time is not UNSET:
            field_dict["prefill_time"] = prefill_time
        if decode_time is not UNSET:
            field_dict["decode_time"] = decode_time

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.event_details import EventDetails

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
        details: EventDetails | Unset
        if isinstance(_details, Unset):
            details = UNSET
        else:
            details = EventDetails.from_dict(_details)

        prefill_time = d.pop("prefill_time", UNSET)

        decode_time = d.pop("decode_time", UNSET)

        generate_event = cls(
            id=id,
            model_name=model_name,
            model_version=model_version,
            text_output=text_output,
            details=details,
            prefill_time=prefill_time,
            decode_time=decode_time,
        )

        generate_event.additional_properties = d
        return generate_event

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
