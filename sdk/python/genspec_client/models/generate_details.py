from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.finish_reason import FinishReason
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.generated_token import GeneratedToken


T = TypeVar("T", bound="GenerateDetails")


@_attrs_define
class GenerateDetails:
    """How the text came about; there if `details` or `perf_stat` is asked for.

    Attributes:
        generated_tokens (int): How many tokens were generated, the end token counted. Example: 3.
        first_token_cost (float | None): Milliseconds from arrival to the first token; null unless `perf_stat`. Example:
            41.5.
        decode_cost (float | None): Milliseconds spent after the first token; null unless `perf_stat`. Example: 24.8.
        finish_reason (FinishReason): `eos_token` - the model ended the text. `stop_sequence` - a stop string or stop
            token came, or the request was stopped. `length` - a limit on tokens was reached. Example: length.
        perf_stat (list[list[int]] | Unset): A pair for each generated token, its id and its milliseconds; the first is
            the prompt's work. There if `perf_stat` is asked for. Example: [[42, 41], [30, 12]].
        seed (int | Unset): The seed that was used; there when sampling. Made ones stay below 2^53. Example: 123.
        tokens (list[GeneratedToken] | Unset): The generated tokens; there if `logprobs` is asked for. Example:
            [{'token_id': 42, 'text': ' Paris', 'logprob': -0.25, 'top_logprobs': [{'token_id': 42, 'text': ' Paris',
            'logprob': -0.25}, {'token_id': 30, 'text': ' Lyon', 'logprob': -3.5}]}].
    """

    generated_tokens: int
    first_token_cost: float | None
    decode_cost: float | None
    finish_reason: FinishReason
    perf_stat: list[list[int]] | Unset = UNSET
    seed: int | Unset = UNSET
    tokens: list[GeneratedToken] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        generated_tokens = self.generated_tokens

        first_token_cost: float | None
        first_token_cost = self.first_token_cost

        decode_cost: float | None
        decode_cost = self.decode_cost

        finish_reason = self.finish_reason.value

        perf_stat: list[list[int]] | Unset = UNSET
        if not isinstance(self.perf_stat, Unset):
            perf_stat = []
            for perf_stat_item_data in self.perf_stat:
                perf_stat_item = perf_stat_item_data

                perf_stat.append(perf_stat_item)

        seed = self.seed

        tokens: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.tokens, Unset):
            tokens = []
            for tokens_item_data in self.tokens:
                tokens_item = tokens_item_data.to_dict()
                tokens.append(tokens_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "generated_tokens": generated_tokens,
                "first_token_cost": first_token_cost,
                "decode_cost": decode_cost,
                "finish_reason": finish_reason,
            }
        )
        if perf_stat is not UNSET:
            field_dict["perf_stat"] = perf_stat
        if seed is not UNSET:
            field_dict["seed"] = seed
        if tokens is not UNSET:
            field_dict["tokens"] = tokens

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.generated_token import GeneratedToken

        d = dict(src_dict)
        generated_tokens = d.pop("generated_tokens")

        def _parse_first_token_cost(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        first_token_cost = _parse_first_token_cost(d.pop("first_token_cost"))

        def _parse_decode_cost(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        decode_cost = _parse_decode_cost(d.pop("decode_cost"))

        finish_reason = FinishReason(d.pop("finish_reason"))

        _perf_stat = d.pop("perf_stat", UNSET)
        perf_stat: list[list[int]] | Unset = UNSET
        if _perf_stat is not UNSET:
            perf_stat = []
            for perf_stat_item_data in _perf_stat:
                perf_stat_item = cast(list[int], perf_stat_item_data)

                perf_stat.append(perf_stat_item)

        seed = d.pop("seed", UNSET)

        _tokens = d.pop("tokens", UNSET)
        tokens: list[GeneratedToken] | Unset = UNSET
        if _tokens is not UNSET:
            tokens = []
            for tokens_item_data in _tokens:
                tokens_item = GeneratedToken.from_dict(tokens_item_data)

                tokens.append(tokens_item)

        generate_details = cls(
            generated_tokens=generated_tokens,
            first_token_cost=first_token_cost,
            decode_cost=decode_cost,
            finish_reason=finish_reason,
            perf_stat=perf_stat,
            seed=seed,
            tokens=tokens,
        )

        generate_details.additional_properties = d
        return generate_details

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
