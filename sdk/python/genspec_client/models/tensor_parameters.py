from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.logit_bias_type_0 import LogitBiasType0


T = TypeVar("T", bound="TensorParameters")


@_attrs_define
class TensorParameters:
    """How to continue the tensor; every field may be left out.

    Attributes:
        details (bool | None | Unset): Include `details` in the answer. Default: False. Example: True.
        do_sample (bool | None | Unset): False takes the likeliest token each time (greedy): `temperature`, `top_k`,
            `top_p`, `typical_p` and `min_p` have no effect. True draws it. Default: False. Example: True.
        max_new_tokens (int | None | Unset): The most tokens to generate. Default: 20. Example: 64.
        max_tokens (int | None | Unset): As `max_new_tokens`, which wins; larger values are lowered to the limit.
            Example: 64.
        min_new_tokens (int | None | Unset): The end token cannot come before this many tokens. Default: 0. Example: 8.
        min_length (int | None | Unset): As `min_new_tokens`. Example: 8.
        seed (int | None | Unset): The same seed, request and model give the same text. Random when absent; `details`
            tell the seed that was used. JavaScript clients should stay below 2^53, where their numbers stop being exact.
            Example: 123.
        random_seed (int | None | Unset): As `seed`. Example: 123.
        temperature (float | None | Unset): Below 1 prefers likely tokens more, above 1 less; 0.001 to 2 makes sense.
            Default: 1.0. Example: 0.7.
        top_k (int | None | Unset): Draw from this many likeliest tokens; 0 is off. Default: 0. Example: 10.
        top_p (float | None | Unset): Draw from the fewest likeliest tokens that have this probability together.
            Default: 1.0. Example: 0.9.
        typical_p (float | None | Unset): Draw from the most typical tokens that have this probability together.
            Example: 0.9.
        min_p (float | None | Unset): Draw from the tokens that have at least this share of the likeliest one's
            probability. Default: 0.0. Example: 0.05.
        repetition_penalty (float | None | Unset): Above 1 penalises tokens that the prompt or the output have already,
            below 1 rewards them. Works with greedy too. Default: 1.0. Example: 1.1.
        presence_penalty (float | None | Unset): Subtracted from the logits of tokens that the output has already.
            Default: 0.0. Example: 0.5.
        frequency_penalty (float | None | Unset): Subtracted from a token's logit once for each time the output has it.
            Default: 0.0. Example: 0.5.
        logit_bias (LogitBiasType0 | None | Unset): What is added to the logits of tokens; the keys are token ids.
            Example: {'11': -5}.
        stop (list[str] | None | str | Unset): One string or several. An empty string is none. Default: ''. Example:
            ['\\n\\n'].
        stop_words (list[str] | None | str | Unset): One string or several. An empty string is none. Example:
            ['\\n\\n'].
        stop_token_ids (list[int] | None | Unset): The text ends at any of these tokens. Example: [11].
        bad_words (list[str] | None | str | Unset): One string or several. An empty string is none. Default: ''.
            Example: ['Lyon'].
        ignore_eos (bool | None | Unset): Go on when the model's own end token comes. Default: False. Example: True.
        skip_special_tokens (bool | None | Unset): Leave special tokens out of the text. Default: True. Example: True.
        logprobs (int | None | Unset): Include `tokens` in `details`, each with its log-probability and those of this
            many likeliest tokens. Example: 2.
        watermark (bool | None | Unset): Mark the text so that it can be told from text by others. Default: False.
            Example: True.
        perf_stat (bool | None | Unset): Include `details` with timings in the answer. Default: False. Example: True.
        batch_size (int | None | Unset): Checked and without effect; the server batches all requests by itself. Default:
            1. Example: 1.
        priority (int | None | Unset): Requests with a lower number are started first, but not for ever: one that waits
            is overtaken by at most 64 later ones for each step between their priorities. Default: 5. Example: 5.
        timeout (float | None | Unset): Seconds after which the request is given up with status 408. Example: 60.
        stream (bool | None | Unset): Ignored; the path decides. Example: False.
        accumulate_tokens (Any | Unset): Ignored. Example: False.
        end_id (Any | Unset): Ignored. Example: 2.
        pad_id (Any | Unset): Ignored. Example: 2.
        exclude_input_in_output (Any | Unset): Ignored. Example: False.
        binary_data_size (Any | Unset): Ignored beside `data`, refused without it. Example: 0.
        shared_memory_region (Any | Unset): Ignored beside `data`, refused without it. Example: region.
    """

    details: bool | None | Unset = False
    do_sample: bool | None | Unset = False
    max_new_tokens: int | None | Unset = 20
    max_tokens: int | None | Unset = UNSET
    min_new_tokens: int | None | Unset = 0
    min_length: int | None | Unset = UNSET
    seed: int | None | Unset = UNSET
    random_seed: int | None | Unset = UNSET
    temperature: float | None | Unset = 1.0
    top_k: int | None | Unset = 0
    top_p: float | None | Unset = 1.0
    typical_p: float | None | Unset = UNSET
    min_p: float | None | Unset = 0.0
    repetition_penalty: float | None | Unset = 1.0
    presence_penalty: float | None | Unset = 0.0
    frequency_penalty: float | None | Unset = 0.0
    logit_bias: LogitBiasType0 | None | Unset = UNSET
    stop: list[str] | None | str | Unset = ""
    stop_words: list[str] | None | str | Unset = UNSET
    stop_token_ids: list[int] | None | Unset = UNSET
    bad_words: list[str] | None | str | Unset = ""
    ignore_eos: bool | None | Unset = False
    skip_special_tokens: bool | None | Unset = True
    logprobs: int | None | Unset = UNSET
    watermark: bool | None | Unset = False
    perf_stat: bool | None | Unset = False
    batch_size: int | None | Unset = 1
    priority: int | None | Unset = 5
    timeout: float | None | Unset = UNSET
    stream: bool | None | Unset = UNSET
    accumulate_tokens: Any | Unset = UNSET
    end_id: Any | Unset = UNSET
    pad_id: Any | Unset = UNSET
    exclude_input_in_output: Any | Unset = UNSET
    binary_data_size: Any | Unset = UNSET
    shared_memory_region: Any | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.logit_bias_type_0 import LogitBiasType0

        details: bool | None | Unset
        if isinstance(self.details, Unset):
            details = UNSET
        else:
            details = self.details

        do_sample: bool | None | Unset
        if isinstance(self.do_sample, Unset):
            do_sample = UNSET
        else:
            do_sample = self.do_sample

        max_new_tokens: int | None | Unset
        if isinstance(self.max_new_tokens, Unset):
            max_new_tokens = UNSET
        else:
            max_new_tokens = self.max_new_tokens

        max_tokens: int | None | Unset
        if isinstance(self.max_tokens, Unset):
            max_tokens = UNSET
        else:
            max_tokens = self.max_tokens

        min_new_tokens: int | None | Unset
        if isinstance(self.min_new_tokens, Unset):
            min_new_tokens = UNSET
        else:
            min_new_tokens = self.min_new_tokens

        min_length: int | None | Unset
        if isinstance(self.min_length, Unset):
            min_length = UNSET
        else:
            min_length = self.min_length

        seed: int | None | Unset
        if isinstance(self.seed, Unset):
            seed = UNSET
        else:
            seed = self.seed

        random_seed: int | None | Unset
        if isinstance(self.random_seed, Unset):
            random_seed = UNSET
        else:
            random_seed = self.random_seed

        temperature: float | None | Unset
        if isinstance(self.temperature, Unset):
            temperature = UNSET
        else:
            temperature = self.temperature

        top_k: int | None | Unset
        if isinstance(self.top_k, Unset):
            top_k = UNSET
        else:
            top_k = self.top_k

        top_p: float | None | Unset
        if isinstance(self.top_p, Unset):
            top_p = UNSET
        else:
            top_p = self.top_p

        typical_p: float | None | Unset
        if isinstance(self.typical_p, Unset):
            typical_p = UNSET
        else:
            typical_p = self.typical_p

        min_p: float | None | Unset
        if isinstance(self.min_p, Unset):
            min_p = UNSET
        else:
            min_p = self.min_p

        repetition_penalty: float | None | Unset
        if isinstance(self.repetition_penalty, Unset):
            repetition_penalty = UNSET
        else:
            repetition_penalty = self.repetition_penalty

        presence_penalty: float | None | Unset
        if isinstance(self.presence_penalty, Unset):
            presence_penalty = UNSET
        else:
            presence_penalty = self.presence_penalty

        frequency_penalty: float | None | Unset
        if isinstance(self.frequency_penalty, Unset):
            frequency_penalty = UNSET
        else:
            frequency_penalty = self.frequency_penalty

        logit_bias: dict[str, Any] | None | Unset
        if isinstance(self.logit_bias, Unset):
            logit_bias = UNSET
        elif isinstance(self.logit_bias, LogitBiasType0):
            logit_bias = self.logit_bias.to_dict()
        else:
            logit_bias = self.logit_bias

        stop: list[str] | None | str | Unset
        if isinstance(self.stop, Unset):
            stop = UNSET
        elif isinstance(self.stop, list):
            stop = self.stop

        else:
            stop = self.stop

        stop_words: list[str] | None | str | Unset
        if isinstance(self.stop_words, Unset):
            stop_words = UNSET
        elif isinstance(self.stop_words, list):
            stop_words = self.stop_words

        else:
            stop_words = self.stop_words

        stop_token_ids: list[int] | None | Unset
        if isinstance(self.stop_token_ids, Unset):
            stop_token_ids = UNSET
        elif isinstance(self.stop_token_ids, list):
            stop_token_ids = self.stop_token_ids

        else:
            stop_token_ids = self.stop_token_ids

        bad_words: list[str] | None | str | Unset
        if isinstance(self.bad_words, Unset):
            bad_words = UNSET
        elif isinstance(self.bad_words, list):
            bad_words = self.bad_words

        else:
            bad_words = self.bad_words

        ignore_eos: bool | None | Unset
        if isinstance(self.ignore_eos, Unset):
            ignore_eos = UNSET
        else:
            ignore_eos = self.ignore_eos

        skip_special_tokens: bool | None | Unset
        if isinstance(self.skip_special_tokens, Unset):
            skip_special_tokens = UNSET
        else:
            skip_special_tokens = self.skip_special_tokens

        logprobs: int | None | Unset
        if isinstance(self.logprobs, Unset):
            logprobs = UNSET
        else:
            logprobs = self.logprobs

        watermark: bool | None | Unset
        if isinstance(self.watermark, Unset):
            watermark = UNSET
        else:
            watermark = self.watermark

        perf_stat: bool | None | Unset
        if isinstance(self.perf_stat, Unset):
            perf_stat = UNSET
        else:
            perf_stat = self.perf_stat

        batch_size: int | None | Unset
        if isinstance(self.batch_size, Unset):
            batch_size = UNSET
        else:
            batch_size = self.batch_size

        priority: int | None | Unset
        if isinstance(self.priority, Unset):
            priority = UNSET
        else:
            priority = self.priority

        timeout: float | None | Unset
        if isinstance(self.timeout, Unset):
            timeout = UNSET
        else:
            timeout = self.timeout

        stream: bool | None | Unset
        if isinstance(self.stream, Unset):
            stream = UNSET
        else:
            stream = self.stream

        accumulate_tokens = self.accumulate_tokens

        end_id = self.end_id

        pad_id = self.pad_id

        exclude_input_in_output = self.exclude_input_in_output

        binary_data_size = self.binary_data_size

        shared_memory_region = self.shared_memory_region

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if details is not UNSET:
            field_dict["details"] = details
        if do_sample is not UNSET:
            field_dict["do_sample"] = do_sample
        if max_new_tokens is not UNSET:
            field_dict["max_new_tokens"] = max_new_tokens
        if max_tokens is not UNSET:
            field_dict["max_tokens"] = max_tokens
        if min_new_tokens is not UNSET:
            field_dict["min_new_tokens"] = min_new_tokens
        if min_length is not UNSET:
            field_dict["min_length"] = min_length
        if seed is not UNSET:
            field_dict["seed"] = seed
        if random_seed is not UNSET:
            field_dict["random_seed"] = random_seed
        if temperature is not UNSET:
            field_dict["temperature"] = temperature
        if top_k is not UNSET:
            field_dict["top_k"] = top_k
        if top_p is not UNSET:
            field_dict["top_p"] = top_p
        if typical_p is not UNSET:
            field_dict["typical_p"] = typical_p
        if min_p is not UNSET:
            field_dict["min_p"] = min_p
        if repetition_penalty is not UNSET:
            field_dict["repetition_penalty"] = repetition_penalty
        if presence_penalty is not UNSET:
            field_dict["presence_penalty"] = presence_penalty
        if frequency_penalty is not UNSET:
            field_dict["frequency_penalty"] = frequency_penalty
        if logit_bias is not UNSET:
            field_dict["logit_bias"] = logit_bias
        if stop is not UNSET:
            field_dict["stop"] = stop
        if stop_words is not UNSET:
            field_dict["stop_words"] = stop_words
        if stop_token_ids is not UNSET:
            field_dict["stop_token_ids"] = stop_token_ids
        if bad_words is not UNSET:
            field_dict["bad_words"] = bad_words
        if ignore_eos is not UNSET:
            field_dict["ignore_eos"] = ignore_eos
        if skip_special_tokens is not UNSET:
            field_dict["skip_special_tokens"] = skip_special_tokens
        if logprobs is not UNSET:
            field_dict["logprobs"] = logprobs
        if watermark is not UNSET:
            field_dict["watermark"] = watermark
        if perf_stat is not UNSET:
            field_dict["perf_stat"] = perf_stat
        if batch_size is not UNSET:
            field_dict["batch_size"] = batch_size
        if priority is not UNSET:
            field_dict["priority"] = priority
        if timeout is not UNSET:
            field_dict["timeout"] = timeout
        if stream is not UNSET:
            field_dict["stream"] = stream
        if accumulate_tokens is not UNSET:
            field_dict["accumulate_tokens"] = accumulate_tokens
        if end_id is not UNSET:
            field_dict["end_id"] = end_id
        if pad_id is not UNSET:
            field_dict["pad_id"] = pad_id
        if exclude_input_in_output is not UNSET:
            field_dict["exclude_input_in_output"] = exclude_input_in_output
        if binary_data_size is not UNSET:
            field_dict["binary_data_size"] = binary_data_size
        if shared_memory_region is not UNSET:
            field_dict["shared_memory_region"] = shared_memory_region

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.logit_bias_type_0 import LogitBiasType0

        d = dict(src_dict)

        def _parse_details(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        details = _parse_details(d.pop("details", UNSET))

        def _parse_do_sample(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        do_sample = _parse_do_sample(d.pop("do_sample", UNSET))

        def _parse_max_new_tokens(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        max_new_tokens = _parse_max_new_tokens(d.pop("max_new_tokens", UNSET))

        def _parse_max_tokens(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        max_tokens = _parse_max_tokens(d.pop("max_tokens", UNSET))

        def _parse_min_new_tokens(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        min_new_tokens = _parse_min_new_tokens(d.pop("min_new_tokens", UNSET))

        def _parse_min_length(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        min_length = _parse_min_length(d.pop("min_length", UNSET))

        def _parse_seed(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        seed = _parse_seed(d.pop("seed", UNSET))

        def _parse_random_seed(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        random_seed = _parse_random_seed(d.pop("random_seed", UNSET))

        def _parse_temperature(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        temperature = _parse_temperature(d.pop("temperature", UNSET))

        def _parse_top_k(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        top_k = _parse_top_k(d.pop("top_k", UNSET))

        def _parse_top_p(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        top_p = _parse_top_p(d.pop("top_p", UNSET))

        def _parse_typical_p(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        typical_p = _parse_typical_p(d.pop("typical_p", UNSET))

        def _parse_min_p(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        min_p = _parse_min_p(d.pop("min_p", UNSET))

        def _parse_repetition_penalty(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        repetition_penalty = _parse_repetition_penalty(
            d.pop("repetition_penalty", UNSET)
        )

        def _parse_presence_penalty(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        presence_penalty = _parse_presence_penalty(d.pop("presence_penalty", UNSET))

        def _parse_frequency_penalty(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        frequency_penalty = _parse_frequency_penalty(d.pop("frequency_penalty", UNSET))

        def _parse_logit_bias(data: object) -> LogitBiasType0 | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                componentsschemas_logit_bias_type_0 = LogitBiasType0.from_dict(data)

                return componentsschemas_logit_bias_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(LogitBiasType0 | None | Unset, data)

        logit_bias = _parse_logit_bias(d.pop("logit_bias", UNSET))

        def _parse_stop(data: object) -> list[str] | None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                componentsschemas_stop_strings_type_1 = cast(list[str], data)

                return componentsschemas_stop_strings_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | str | Unset, data)

        stop = _parse_stop(d.pop("stop", UNSET))

        def _parse_stop_words(data: object) -> list[str] | None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                componentsschemas_stop_strings_type_1 = cast(list[str], data)

                return componentsschemas_stop_strings_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | str | Unset, data)

        stop_words = _parse_stop_words(d.pop("stop_words", UNSET))

        def _parse_stop_token_ids(data: object) -> list[int] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                stop_token_ids_type_0 = cast(list[int], data)

                return stop_token_ids_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[int] | None | Unset, data)

        stop_token_ids = _parse_stop_token_ids(d.pop("stop_token_ids", UNSET))

        def _parse_bad_words(data: object) -> list[str] | None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                componentsschemas_bad_words_type_1 = cast(list[str], data)

                return componentsschemas_bad_words_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | str | Unset, data)

        bad_words = _parse_bad_words(d.pop("bad_words", UNSET))

        def _parse_ignore_eos(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        ignore_eos = _parse_ignore_eos(d.pop("ignore_eos", UNSET))

        def _parse_skip_special_tokens(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        skip_special_tokens = _parse_skip_special_tokens(
            d.pop("skip_special_tokens", UNSET)
        )

        def _parse_logprobs(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        logprobs = _parse_logprobs(d.pop("logprobs", UNSET))

        def _parse_watermark(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        watermark = _parse_watermark(d.pop("watermark", UNSET))

        def _parse_perf_stat(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        perf_stat = _parse_perf_stat(d.pop("perf_stat", UNSET))

        def _parse_batch_size(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        batch_size = _parse_batch_size(d.pop("batch_size", UNSET))

        def _parse_priority(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        priority = _parse_priority(d.pop("priority", UNSET))

        def _parse_timeout(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        timeout = _parse_timeout(d.pop("timeout", UNSET))

        def _parse_stream(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        stream = _parse_stream(d.pop("stream", UNSET))

        accumulate_tokens = d.pop("accumulate_tokens", UNSET)

        end_id = d.pop("end_id", UNSET)

        pad_id = d.pop("pad_id", UNSET)

        exclude_input_in_output = d.pop("exclude_input_in_output", UNSET)

        binary_data_size = d.pop("binary_data_size", UNSET)

        shared_memory_region = d.pop("shared_memory_region", UNSET)

        tensor_parameters = cls(
            details=details,
            do_sample=do_sample,
            max_new_tokens=max_new_tokens,
            max_tokens=max_tokens,
            min_new_tokens=min_new_tokens,
            min_length=min_length,
            seed=seed,
            random_seed=random_seed,
            temperature=temperature,
            top_k=top_k,
            top_p=top_p,
            typical_p=typical_p,
            min_p=min_p,
            repetition_penalty=repetition_penalty,
            presence_penalty=presence_penalty,
            frequency_penalty=frequency_penalty,
            logit_bias=logit_bias,
            stop=stop,
            stop_words=stop_words,
            stop_token_ids=stop_token_ids,
            bad_words=bad_words,
            ignore_eos=ignore_eos,
            skip_special_tokens=skip_special_tokens,
            logprobs=logprobs,
            watermark=watermark,
            perf_stat=perf_stat,
            batch_size=batch_size,
            priority=priority,
            timeout=timeout,
            stream=stream,
            accumulate_tokens=accumulate_tokens,
            end_id=end_id,
            pad_id=pad_id,
            exclude_input_in_output=exclude_input_in_output,
            binary_data_size=binary_data_size,
            shared_memory_region=shared_memory_region,
        )

        tensor_parameters.additional_properties = d
        return tensor_parameters

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
