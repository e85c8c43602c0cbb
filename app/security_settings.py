"""Settings about who may connect, and what they may use."""

from pathlib import Path
from typing import Self

from pydantic import Field, SecretStr, model_validator
from pydantic_settings import BaseSettings

from app.setting_types import Count


class SecuritySettings(BaseSettings):
    """A part of ``Settings``, with the defaults and descriptions of its own settings."""

    api_keys_file: Path | None = Field(
        default=None, description="API keys, one of which every request needs; see: genspec keys"
    )
    allow_anonymous: bool = Field(
        default=False, description="serve without keys where others can connect: true or false"
    )
    key_concurrency: Count | None = Field(
        default=None, description="requests of one key at once, unless the key says otherwise"
    )
    key_requests_per_minute: Count | None = Field(
        default=None, description="requests of one key a minute, unless the key says otherwise"
    )
    max_arriving_bytes: Count = Field(
        default=268435456, description="most memory for bodies that are not complete yet"
    )
    tls_certificate_file: Path | None = Field(
        default=None, description="certificate and its chain, in PEM: serves HTTPS"
    )
    tls_key_file: Path | None = Field(
        default=None, description="private key of the certificate, if it is not in the same file"
    )
    tls_key_password: SecretStr | None = Field(
        default=None, description="password of the private key; best given by the environment"
    )
    tls_client_ca_file: Path | None = Field(
        default=None, description="authorities in PEM; clients need a certificate of one of them"
    )
    allow_pickles: bool = Field(
        default=False, description="load weights that are not safetensors: true or false"
    )

    @model_validator(mode="after")
    def _check_tls(self) -> Self:
        if self.tls_certificate_file is None:
            for name in ("tls_key_file", "tls_key_password", "tls_client_ca_file"):
                if getattr(self, name) is not None:
                    raise ValueError(f"{name}: needs tls_certificate_file")
        return self
