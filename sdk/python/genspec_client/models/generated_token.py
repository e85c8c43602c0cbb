from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.token_logprob import TokenLogprob


T = TypeVar("T", bound="GeneratedToken")


@_attrs_define
class GeneratedToken:
    """A generated token, and the likeliest ones for its place.

    Attributes:
        token_id (int): Number of a token in the model's vocabulary. Example: 42.
        text (str): The token as text; half a character shows as U+FFFD. Example:  Paris.
        logprob (float): Natural logarithm of the token's probability under the model alone. The minimum is that of a
            token that cannot come. Example: -0.25.
        top_logprobs (list[TokenLogprob]): The likeliest tokens for this place, likeliest first. Example: [{'token_id':
            42, 'text': ' Paris', 'logprob': -0.25}, {'token_id': 30, 'text': ' Lyon', 'logprob': -3.5}].
    """

    token_id: int
    text: str
    logprob: float
    top_logprobs: list[TokenLogprob]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        token_id = self.token_id

        text = self.text

        logprob = self.logprob

        top_logprobs = []
        for top_logprobs_item_data in self.top_logprobs:
            top_logprobs_item = top_logprobs_item_data.to_dict()
            top_logprobs.append(top_logprobs_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "token_id": token_id,
                "text": text,
                "logprob": logprob,
                "top_logprobs": top_logprobs,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.token_logprob import TokenLogprob

        d = dict(src_dict)
        token_id = d.pop("token_id")

        text = d.pop("text")

        logprob = d.pop("logprob")

        top_logprobs = []
        _top_logprobs = d.pop("top_logprobs")
        for top_logprobs_item_data in _top_logprobs:
            top_logprobs_item = TokenLogprob.from_dict(top_logprobs_item_data)

            top_logprobs.append(top_logprobs_item)

        generated_token = cls(
            token_id=token_id,
            text=text,
            logprob=logprob,
            top_logprobs=top_logprobs,
        )

        generated_token.additional_properties = d
        return generated_token

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
