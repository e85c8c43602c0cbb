from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="TokenLogprob")


@_attrs_define
class TokenLogprob:
    """A token and how likely the model found it.

    Attributes:
        token_id (int): Number of a token in the model's vocabulary. Example: 42.
        text (str): The token as text; half a character shows as U+FFFD. Example:  Paris.
        logprob (float): Natural logarithm of the token's probability under the model alone. The minimum is that of a
            token that cannot come. Example: -0.25.
    """

    token_id: int
    text: str
    logprob: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        token_id = self.token_id

        text = self.text

        logprob = self.logprob

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "token_id": token_id,
                "text": text,
                "logprob": logprob,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        token_id = d.pop("token_id")

        text = d.pop("text")

        logprob = d.pop("logprob")

        token_logprob = cls(
            token_id=token_id,
            text=text,
            logprob=logprob,
        )

        token_logprob.additional_properties = d
        return token_logprob

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
