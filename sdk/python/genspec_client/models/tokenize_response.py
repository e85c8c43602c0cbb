from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="TokenizeResponse")


@_attrs_define
class TokenizeResponse:
    """A text in tokens.

    Attributes:
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        model_version (None | str): The version that the path named, null when it named none. Example: 1.
        num_tokens (int): How many tokens the text has. Example: 5.
        token_ids (list[int]): The tokens. Example: [504, 3575, 282, 4649, 314].
        offsets (list[list[int]] | None): For each token where it begins and ends in the text, in characters (Unicode
            code points). Tokens that share a character overlap; tokens that are not in the text are empty. Null where the
            model's tokenizer cannot tell. Example: [[0, 3], [3, 11], [11, 14], [14, 21], [21, 24]].
    """

    model_name: str
    model_version: None | str
    num_tokens: int
    token_ids: list[int]
    offsets: list[list[int]] | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        model_name = self.model_name

        model_version: None | str
        model_version = self.model_version

        num_tokens = self.num_tokens

        token_ids = self.token_ids

        offsets: list[list[int]] | None
        if isinstance(self.offsets, list):
            offsets = []
            for offsets_type_0_item_data in self.offsets:
                offsets_type_0_item = offsets_type_0_item_data

                offsets.append(offsets_type_0_item)

        else:
            offsets = self.offsets

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "model_name": model_name,
                "model_version": model_version,
                "num_tokens": num_tokens,
                "token_ids": token_ids,
                "offsets": offsets,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        model_name = d.pop("model_name")

        def _parse_model_version(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        model_version = _parse_model_version(d.pop("model_version"))

        num_tokens = d.pop("num_tokens")

        token_ids = cast(list[int], d.pop("token_ids"))

        def _parse_offsets(data: object) -> list[list[int]] | None:
            if data is None:
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                offsets_type_0 = []
                _offsets_type_0 = data
                for offsets_type_0_item_data in _offsets_type_0:
                    offsets_type_0_item = cast(list[int], offsets_type_0_item_data)

                    offsets_type_0.append(offsets_type_0_item)

                return offsets_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[list[int]] | None, data)

        offsets = _parse_offsets(d.pop("offsets"))

        tokenize_response = cls(
            model_name=model_name,
            model_version=model_version,
            num_tokens=num_tokens,
            token_ids=token_ids,
            offsets=offsets,
        )

        tokenize_response.additional_properties = d
        return tokenize_response

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
