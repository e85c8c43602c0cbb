from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.duration_statistics import DurationStatistics


T = TypeVar("T", bound="InferenceStatistics")


@_attrs_define
class InferenceStatistics:
    """How generations have ended.

    Example:
        {'success': {'count': 12, 'ns': 9800000000}, 'fail': {'count': 0, 'ns': 0}, 'cancel': {'count': 1, 'ns':
            350000000}, 'queue': {'count': 12, 'ns': 200000000}, 'compute_input': {'count': 12, 'ns': 0}, 'compute_infer':
            {'count': 12, 'ns': 9600000000}, 'compute_output': {'count': 12, 'ns': 0}}

    Attributes:
        success (DurationStatistics): How many generations have ended this way, and how long they took. Example:
            {'count': 12, 'ns': 9800000000}.
        fail (DurationStatistics): How many generations have ended this way, and how long they took. Example: {'count':
            12, 'ns': 9800000000}.
        cancel (DurationStatistics): How many generations have ended this way, and how long they took. Example:
            {'count': 12, 'ns': 9800000000}.
        queue (DurationStatistics): How many generations have ended this way, and how long they took. Example: {'count':
            12, 'ns': 9800000000}.
        compute_infer (DurationStatistics): How many generations have ended this way, and how long they took. Example:
            {'count': 12, 'ns': 9800000000}.
        compute_input (DurationStatistics): How many generations have ended this way, and how long they took. Example:
            {'count': 12, 'ns': 9800000000}.
        compute_output (DurationStatistics): How many generations have ended this way, and how long they took. Example:
            {'count': 12, 'ns': 9800000000}.
    """

    success: DurationStatistics
    fail: DurationStatistics
    cancel: DurationStatistics
    queue: DurationStatistics
    compute_infer: DurationStatistics
    compute_input: DurationStatistics
    compute_output: DurationStatistics
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        success = self.success.to_dict()

        fail = self.fail.to_dict()

        cancel = self.cancel.to_dict()

        queue = self.queue.to_dict()

        compute_infer = self.compute_infer.to_dict()

        compute_input = self.compute_input.to_dict()

        compute_output = self.compute_output.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "success": success,
                "fail": fail,
                "cancel": cancel,
                "queue": queue,
                "compute_infer": compute_infer,
                "compute_input": compute_input,
                "compute_output": compute_output,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.duration_statistics import DurationStatistics

        d = dict(src_dict)
        success = DurationStatistics.from_dict(d.pop("success"))

        fail = DurationStatistics.from_dict(d.pop("fail"))

        cancel = DurationStatistics.from_dict(d.pop("cancel"))

        queue = DurationStatistics.from_dict(d.pop("queue"))

        compute_infer = DurationStatistics.from_dict(d.pop("compute_infer"))

        compute_input = DurationStatistics.from_dict(d.pop("compute_input"))

        compute_output = DurationStatistics.from_dict(d.pop("compute_output"))

        inference_statistics = cls(
            success=success,
            fail=fail,
            cancel=cancel,
            queue=queue,
            compute_infer=compute_infer,
            compute_input=compute_input,
            compute_output=compute_output,
        )

        inference_statistics.additional_properties = d
        return inference_statistics

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
