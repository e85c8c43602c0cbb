from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ModelConfig")


@_attrs_define
class ModelConfig:
    """How a model is set up here.

    Attributes:
        model_name (str): Name of a served model. Example: smollm2-135m-instruct.
        model_version (str): Version of a served model. Example: 1.
        architecture (str): What kind of model it is. Example: LlamaForCausalLM.
        vocab_size (int): How many token ids the model knows. Example: 49152.
        max_position_embeddings (int): How many positions the model knows. Example: 8192.
        max_seq_len (int): The most tokens of prompt and output together. Example: 2560.
        max_iter_times (int): The most tokens of output. Example: 512.
        max_prompt_tokens (int): The most tokens of a prompt. Example: 2048.
        max_running_requests (int): The most sequences that are computed at once. Example: 16.
        max_queue_size (int): The most requests that wait for that. Example: 256.
        eos_token_id (int | None): The token that ends a text, null where there is none. Example: 2.
        eos_token_ids (list[int]): Every token that ends a text. Example: [2].
        device (str): What computes the model; `auto` until it is loaded. Example: cpu.
        dtype (str): The type of the weights; `auto` until the model is loaded. Example: float32.
        decoder (str): The code that computes the model; `auto` until it is loaded. Example: native.
        deterministic_under_load (bool): Whether the same request is answered the same whatever runs beside it. True for
            the decoders native and exact; others round differently in batches of other sizes. Example: True.
    """

    model_name: str
    model_version: str
    architecture: str
    vocab_size: int
    max_position_embeddings: int
    max_seq_len: int
    max_iter_times: int
    max_prompt_tokens: int
    max_running_requests: int
    max_queue_size: int
    eos_token_id: int | None
    eos_token_ids: list[int]
    device: str
    dtype: str
    decoder: str
    deterministic_under_load: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        model_name = self.model_name

        model_version = self.model_version

        architecture = self.architecture

        vocab_size = self.vocab_size

        max_position_embeddings = self.max_position_embeddings

        max_seq_len = self.max_seq_len

        max_iter_times = self.max_iter_times

        max_prompt_tokens = self.max_prompt_tokens

        max_running_requests = self.max_running_requests

        max_queue_size = self.max_queue_size

        eos_token_id: int | None
        eos_token_id = self.eos_token_id

        eos_token_ids = self.eos_token_ids

        device = self.device

        dtype = self.dtype

        decoder = self.decoder

        deterministic_under_load = self.deterministic_under_load

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "model_name": model_name,
                "model_version": model_version,
                "architecture": architecture,
                "vocab_size": vocab_size,
                "max_position_embeddings": max_position_embeddings,
                "max_seq_len": max_seq_len,
                "max_iter_times": max_iter_times,
                "max_prompt_tokens": max_prompt_tokens,
                "max_running_requests": max_running_requests,
                "max_queue_size": max_queue_size,
                "eos_token_id": eos_token_id,
                "eos_token_ids": eos_token_ids,
                "device": device,
                "dtype": dtype,
                "decoder": decoder,
                "deterministic_under_load": deterministic_under_load,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        model_name = d.pop("model_name")

        model_version = d.pop("model_version")

        architecture = d.pop("architecture")

        vocab_size = d.pop("vocab_size")

        max_position_embeddings = d.pop("max_position_embeddings")

        max_seq_len = d.pop("max_seq_len")

        max_iter_times = d.pop("max_iter_times")

        max_prompt_tokens = d.pop("max_prompt_tokens")

        max_running_requests = d.pop("max_running_requests")

        max_queue_size = d.pop("max_queue_size")

        def _parse_eos_token_id(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        eos_token_id = _parse_eos_token_id(d.pop("eos_token_id"))

        eos_token_ids = cast(list[int], d.pop("eos_token_ids"))

        device = d.pop("device")

        dtype = d.pop("dtype")

        decoder = d.pop("decoder")

        deterministic_under_load = d.pop("deterministic_under_load")

        model_config = cls(
            model_name=model_name,
            model_version=model_version,
            architecture=architecture,
            vocab_size=vocab_size,
            max_position_embeddings=max_position_embeddings,
            max_seq_len=max_seq_len,
            max_iter_times=max_iter_times,
            max_prompt_tokens=max_prompt_tokens,
            max_running_requests=max_running_requests,
            max_queue_size=max_queue_size,
            eos_token_id=eos_token_id,
            eos_token_ids=eos_token_ids,
            device=device,
            dtype=dtype,
            decoder=decoder,
            deterministic_under_load=deterministic_under_load,
        )

        model_config.additional_properties = d
        return model_config

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
