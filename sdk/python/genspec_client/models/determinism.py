from enum import StrEnum


class Determinism(StrEnum):
    BATCH_INVARIANT = "batch_invariant"
    SINGLE_REQUEST = "single_request"

    def __str__(self) -> str:
        return str(self.value)
