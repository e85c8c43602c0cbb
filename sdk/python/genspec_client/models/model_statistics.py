from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.model_statistics_entry import ModelStatisticsEntry


T = TypeVar("T", bound="ModelStatistics")


@_attrs_define
class ModelStatistics:
    """What models have done and do.

    Attributes:
        model_stats (list[ModelStatisticsEntry]): One entry for each model. Example: [{'name': 'smollm2-135m-instruct',
            'version': '1', 'inference_count': 12, 'execution_count': 640, 'inference_stats': {'success': {'count': 12,
            'ns': 9800000000}, 'fail': {'count': 0, 'ns': 0}, 'cancel': {'count': 1, 'ns': 350000000}, 'queue': {'count':
            12, 'ns': 200000000}, 'compute_input': {'count': 12, 'ns': 0}, 'compute_infer': {'count': 12, 'ns': 9600000000},
            'compute_output': {'count': 12, 'ns': 0}}, 'num_running': 1, 'num_waiting': 0, 'num_kv_tokens': 42,
            'num_generated_tokens': 2400}].
    """

    model_stats: list[ModelStatisticsEntry]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        model_stats = []
        for model_stats_item_data in self.model_stats:
            model_stats_item = model_stats_item_data.to_dict()
            model_stats.append(model_stats_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "model_stats": model_stats,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.model_statistics_entry import ModelStatisticsEntry

        d = dict(src_dict)
        model_stats = []
        _model_stats = d.pop("model_stats")
        for model_stats_item_data in _model_stats:
            model_stats_item = ModelStatisticsEntry.from_dict(model_stats_item_data)

            model_stats.append(model_stats_item)

        model_statistics = cls(
            model_stats=model_stats,
        )

        model_statistics.additional_properties = d
        return model_statistics

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
