from enum import StrEnum


class ErrorType(StrEnum):
    BAD_REQUEST = "Bad Request"
    FORBIDDEN = "Forbidden"
    GENERATION_ERROR = "Generation Error"
    INPUT_VALIDATION_ERROR = "Input Validation Error"
    INTERNAL_ERROR = "Internal Error"
    METHOD_NOT_ALLOWED = "Method Not Allowed"
    NOT_FOUND = "Not Found"
    OVERLOADED = "Overloaded"
    PAYLOAD_TOO_LARGE = "Payload Too Large"
    REQUEST_HEADER_FIELDS_TOO_LARGE = "Request Header Fields Too Large"
    REQUEST_TIMEOUT = "Request Timeout"
    SERVICE_UNAVAILABLE = "Service Unavailable"
    UNAUTHORIZED = "Unauthorized"
    UNSUPPORTED_MEDIA_TYPE = "Unsupported Media Type"

    def __str__(self) -> str:
        return str(self.value)
