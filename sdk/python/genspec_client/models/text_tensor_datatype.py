from enum import StrEnum


class TextTensorDatatype(StrEnum):
    BYTES = "BYTES"

    def __str__(self) -> str:
        return str(self.value)
