"""What several settings are."""

from typing import Annotated

from pydantic import Field

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=128)]
Count = Annotated[int, Field(ge=1, le=2**31 - 1)]
Threads = Annotated[int, Field(ge=1, le=1024)]  # more than any machine has cores for one model
Seconds = Annotated[float, Field(gt=0, le=86400, allow_inf_nan=False)]
