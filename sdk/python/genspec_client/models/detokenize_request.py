from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="DetokenizeRequest")


@_attrs_define
class DetokenizeRequest:
    """Tokens to look at.

    Attributes:
        token_ids (list[int]): The tokens. Example: [504, 3575, 282].
        skip_special_tokens (bool | None | Unset): Leave special tokens out of the text. Default: True. Example: True.
    """

    token_ids: list[int]
    skip_special_tokens: bool | None | Unset = True
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        token_ids = self.token_ids

        skip_special_tokens: bool | None | Unset
        if isinstance(self.skip_special_tokens, Unset):
            skip_special_tokens = UNSET
        else:
            skip_special_tokens = self.skip_special_tokens

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "token_ids": token_ids,
            }
        )
        if skip_special_tokens is not UNSET:
            field_dict["skip_special_tokens"] = skip_special_tokens

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        token_ids = cast(list[int], d.pop("token_ids"))

        def _parse_skip_special_tokens(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        skip_special_tokens = _parse_skip_special_tokens(
            d.pop("skip_special_tokens", UNSET)
        )

        detokenize_request = cls(
            token_ids=token_ids,
            skip_special_tokens=skip_special_tokens,
        )

        detokenize_request.additional_properties = d
        return detokenize_request

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
