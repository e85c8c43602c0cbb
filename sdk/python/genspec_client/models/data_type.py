from enum import StrEnum


class DataType(StrEnum):
    BYTES = "BYTES"
    UINT32 = "UINT32"

    def __str__(self) -> str:
        return str(self.value)
