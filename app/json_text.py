"""JSON as the server writes it."""

import json


def to_json(content: object) -> bytes:
    """Characters as they are, only numbers that JSON has, no spaces."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
