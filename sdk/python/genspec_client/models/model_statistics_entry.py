from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.inference_statistics import InferenceStatistics


T = TypeVar("T", bound="ModelStatisticsEntry")


@_attrs_define
class ModelStatisticsEntry:
    """What one model has done and does.

    Attributes:
        name (str): Name of a served model. Example: smollm2-135m-instruct.
        version (str): Version of a served model. Example: 1.
        inference_count (int): How many generations have ended well. Example: 12.
        execution_count (int): How many batches the model has computed. Example: 640.
        inference_stats (InferenceStatistics): How generations have ended. Example: {'success': {'count': 12, 'ns':
            9800000000}, 'fail': {'count': 0, 'ns': 0}, 'cancel': {'count': 1, 'ns': 350000000}, 'queue': {'count': 12,
            'ns': 200000000}, 'compute_input': {'count': 12, 'ns': 0}, 'compute_infer': {'count': 12, 'ns': 9600000000},
            'compute_output': {'count': 12, 'ns': 0}}.
        num_running (int): How many sequences are computed now. Example: 1.
        num_waiting (int): How many requests wait for that. Example: 0.
        num_kv_tokens (int): How many tokens have their keys and values in memory now. Example: 42.
        num_generated_tokens (int): How many tokens have been generated. Example: 2400.
    """

    name: str
    version: str
    inference_count: int
    execution_count: int
    inference_stats: InferenceStatistics
    num_running: int
    num_waiting: int
    num_kv_tokens: int
    num_generated_tokens: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        version = self.version

        inference_count = self.inference_count

        execution_count = self.execution_count

        inference_stats = self.inference_stats.to_dict()

        num_running = self.num_running

        num_waiting = self.num_waiting

        num_kv_tokens = self.num_kv_tokens

        num_generated_tokens = self.num_generated_tokens

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "version": version,
                "inference_count": inference_count,
                "execution_count": execution_count,
                "inference_stats": inference_stats,
                "num_running": num_running,
                "num_waiting": num_waiting,
                "num_kv_tokens": num_kv_tokens,
                "num_generated_tokens": num_generated_tokens,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.inference_statistics import InferenceStatistics

        d = dict(src_dict)
        name = d.pop("name")

        version = d.pop("version")

        inference_count = d.pop("inference_count")

        execution_count = d.pop("execution_count")

        inference_stats = InferenceStatistics.from_dict(d.pop("inference_stats"))

        num_running = d.pop("num_running")

        num_waiting = d.pop("num_waiting")

        num_kv_tokens = d.pop("num_kv_tokens")

        num_generated_tokens = d.pop("num_generated_tokens")

        model_statistics_entry = cls(
            name=name,
            version=version,
            inference_count=inference_count,
            execution_count=execution_count,
            inference_stats=inference_stats,
            num_running=num_running,
            num_waiting=num_waiting,
            num_kv_tokens=num_kv_tokens,
            num_generated_tokens=num_generated_tokens,
        )

        model_statistics_entry.additional_properties = d
        return model_statistics_entry

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
