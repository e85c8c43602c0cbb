from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="DetectWatermarkResponse")


@_attrs_define
class DetectWatermarkResponse:
    """How many tokens of a text are on the list that marking prefers.

    Attributes:
        num_tokens (int): How many tokens were scored, all but the first; with none, nothing is marked. Example: 99.
        green_fraction (float): The share of those that are on the list. Example: 0.61.
        z_score (float): How many standard deviations that is above a text without a mark. Example: 8.2.
        p_value (float): The chance that a text without a mark scores as high. Example: 1e-16.
        watermarked (bool): Whether the score is above 3. Example: True.
    """

    num_tokens: int
    green_fraction: float
    z_score: float
    p_value: float
    watermarked: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        num_tokens = self.num_tokens

        green_fraction = self.green_fraction

        z_score = self.z_score

        p_value = self.p_value

        watermarked = self.watermarked

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "num_tokens": num_tokens,
                "green_fraction": green_fraction,
                "z_score": z_score,
                "p_value": p_value,
                "watermarked": watermarked,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        num_tokens = d.pop("num_tokens")

        green_fraction = d.pop("green_fraction")

        z_score = d.pop("z_score")

        p_value = d.pop("p_value")

        watermarked = d.pop("watermarked")

        detect_watermark_response = cls(
            num_tokens=num_tokens,
            green_fraction=green_fraction,
            z_score=z_score,
            p_value=p_value,
            watermarked=watermarked,
        )

        detect_watermark_response.additional_properties = d
        return detect_watermark_response

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
