"""What an operator decides: command line, then GENSPEC_* environment, then a TOML file."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from app.replica_settings import ReplicaSettings
from app.security_settings import SecuritySettings
from app.setting_types import Count, Name, Seconds, Threads


class SettingsError(Exception):
    """A setting is out of range, contradicts another, or is none of ours: one line naming it."""


class Settings(ReplicaSettings, SecuritySettings):
    """Every setting, with its default; the descriptions are the command line's help."""

    model_config = SettingsConfigDict(env_prefix="GENSPEC_", frozen=True, extra="forbid")

    model_weight_path: str = Field(
        default="smollm2-135m-instruct", min_length=1, description="model directory, or known name"
    )
    model_name: Name | None = Field(
        default=None, description="name in the URL; made from the model's own name where not set"
    )
    model_version: Name = Field(default="1", description="version in the URL")
    host: str = Field(default="127.0.0.1", min_length=1, description="address to listen on")
    port: int = Field(
        default=8000, ge=0, le=65535, description="port to listen on; 0 takes a free one"
    )
    max_seq_len: Count = Field(
        default=2560, description="most tokens of prompt and output together"
    )
    max_iter_times: Count = Field(default=512, description="most tokens of output")
    max_batch_size: Count = Field(default=16, description="sequences running at once")
    max_queue_size: int = Field(
        default=256, ge=0, description="requests waiting before 429 is answered"
    )
    max_queue_tokens: int = Field(
        default=131072, ge=0, description="tokens that waiting requests may become before 429"
    )
    max_prefill_tokens: Count = Field(default=512, description="most tokens that one step computes")
    max_chunk_tokens: Count | None = Field(
        default=None, description="prompt tokens of a step beside others' output; 128 on a CPU"
    )
    max_kv_tokens: Count | None = Field(
        default=None, description="tokens that running sequences hold; planned from free memory"
    )
    kv_memory_fraction: float = Field(
        default=0.5, gt=0, lt=1, description="share of free memory for keys and values"
    )
    max_prefix_tokens: int = Field(
        default=8192, ge=0, description="tokens of ended requests kept for prompts that begin alike"
    )
    max_draft_tokens: int = Field(
        default=5, ge=0, description="guessed tokens of a sequence that a step checks; 0: none"
    )
    device: str = Field(default="auto", min_length=1, description="torch device, or auto")
    dtype: Literal["auto", "float32", "bfloat16", "float16", "int8"] = Field(
        default="auto", description="weights: auto, float32, bfloat16, float16 or int8"
    )
    num_threads: Threads | None = Field(
        default=None, description="CPU threads of an engine; its share of the cores if not set"
    )
    decoder: Literal["auto", "native", "exact", "transformers"] = Field(
        default="auto", description="what computes the model: auto, native, exact or transformers"
    )
    watermark_hashing_key: int = Field(
        default=15485863, ge=1, lt=2**64, description="secret of the watermark"
    )
    watermark_greenlist_ratio: float = Field(
        default=0.25, gt=0, lt=1, description="share of tokens that the watermark prefers"
    )
    watermark_bias: float = Field(
        default=2.0, ge=0, le=100, description="what the watermark adds to the logits of those"
    )
    request_timeout: Seconds = Field(
        default=600, description="seconds before 408, for every request"
    )
    step_timeout: Seconds = Field(
        default=120, description="seconds of one step, after which the process gives up"
    )
    header_timeout: Seconds = Field(
        default=10, description="seconds for a request's headers to arrive"
    )
    body_timeout: Seconds = Field(default=60, description="seconds for a request's body to arrive")
    keep_alive_timeout: Count = Field(
        default=75, description="seconds that an idle connection is kept"
    )
    drain_timeout: Seconds = Field(
        default=30, description="seconds that running requests get to end"
    )
    write_timeout: Seconds = Field(
        default=60, description="seconds for a reader to take what was sent to it"
    )
    max_stream_backlog: Count = Field(
        default=256, description="events that wait for a slow reader before its request is ended"
    )
    max_header_bytes: Count = Field(default=65536, description="most bytes of a request's headers")
    max_connections: Count = Field(default=1024, description="most connections open at once")
    idempotency_lifetime: Seconds = Field(
        default=1800, description="seconds that an answer is kept for its Idempotency-Key"
    )
    max_idempotency_bytes: Count = Field(
        default=16777216, description="most memory for such answers; the oldest go first"
    )
    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field(
        default=(), description="origins whose pages may call, with commas between; * is every one"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="least level that is logged: debug, info, warning or error"
    )
    log_format: Literal["json", "console"] | None = Field(
        default=None, description="json or console; console on a terminal if not set, else json"
    )
    log_prompts: bool = Field(
        default=False, description="whether prompts are logged: true or false"
    )

    @property
    def served_name(self) -> str:
        """``model_name``, else the last part of the model's path in legal characters."""
        own = re.sub(r"[^A-Za-z0-9._-]+", "-", Path(self.model_weight_path).resolve().name)
        return self.model_name or own.lstrip("._-")[:128] or "model"

    @field_validator("cors_origins", mode="before")
    @classmethod
    def _split_origins(cls, value: object) -> object:
        parts = value.split(",") if isinstance(value, str) else value
        if not isinstance(parts, list | tuple):
            return parts
        return tuple(str(part).strip().rstrip("/").lower() for part in parts if str(part).strip())

    @field_validator("cors_origins")
    @classmethod
    def _check_origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if origin != "*" and not re.fullmatch(r"[a-z][a-z0-9+.-]*://[^/?#\s]+", origin):
                raise ValueError(f"{origin!r} is not an origin like https://example.org")
        return origins

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        if self.max_iter_times >= self.max_seq_len:
            raise ValueError(f"max_iter_times: must be less than max_seq_len ({self.max_seq_len})")
        if self.max_prefill_tokens < self.max_batch_size:
            raise ValueError(
                f"max_prefill_tokens: must be at least max_batch_size ({self.max_batch_size})"
            )
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


def load_settings(options: Mapping[str, Any], config_file: Path | None = None) -> Settings:
    """Settings from the command line's options, the environment and the file. SettingsError."""

    class SettingsWithFile(Settings):
        model_config = SettingsConfigDict(toml_file=config_file)

    try:
        if config_file is not None:
            tomllib.loads(config_file.read_text(encoding="utf-8"))
        return SettingsWithFile(**options)
    except ValidationError as exc:
        raise SettingsError(_explain(exc)) from None
    except (OSError, ValueError) as exc:
        raise SettingsError(f"config: {config_file} cannot be read: {exc}") from None


def _explain(error: ValidationError) -> str:
    """The first problem, on one line, beginning with the setting's name."""
    first = error.errors(include_url=False)[0]
    problem = str(first["msg"]).removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        problem = "is not a setting"
    name = ".".join(str(part) for part in first["loc"][:1])
    return " ".join((f"{name}: {problem}" if name else problem).split())
