"""Settings about where the model runs."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings

Replicas = Annotated[int, Field(ge=1, le=64)]  # more need more than one front


class ReplicaSettings(BaseSettings):
    """A part of ``Settings``, with the defaults and descriptions of its own settings."""

    engine: Literal["local", "ray"] = Field(
        default="local", description="local: in this process; ray: in replicas that Ray runs"
    )
    replicas: Replicas = Field(
        default=1, description="with ray: engines, each with the limits of one"
    )
    ray_address: str | None = Field(
        default=None,
        min_length=1,
        description="with ray: a cluster that runs already, host:port or auto",
    )

    @model_validator(mode="after")
    def _check_engine(self) -> Self:
        if self.engine == "local" and self.replicas > 1:
            raise ValueError("replicas: more than one need engine = ray")
        if self.engine == "local" and self.ray_address is not None:
            raise ValueError("ray_address: needs engine = ray")
        return self
