from enum import StrEnum


class FinishReason(StrEnum):
    EOS_TOKEN = "eos_token"
    LENGTH = "length"
    STOP_SEQUENCE = "stop_sequence"

    def __str__(self) -> str:
        return str(self.value)
