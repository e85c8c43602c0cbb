from enum import StrEnum


class TokenTensorDatatype(StrEnum):
    UINT32 = "UINT32"

    def __str__(self) -> str:
        return str(self.value)
