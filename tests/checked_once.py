"""connexion's check of a document, made once for each document.

It takes most of the time of making an application, and tests make hundreds with the same one.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch


@contextmanager
def documents_checked_once() -> Iterator[None]:
    """A document that differs in anything, or was refused before, is checked like the first."""
    from connexion.spec import OpenAPISpecification

    check = OpenAPISpecification._validate_spec
    good: set[str] = set()

    def check_once(_cls: Any, document: dict[str, Any]) -> None:
        text = json.dumps(document)
        if text not in good:
            check(document)
            good.add(text)

    with patch.object(OpenAPISpecification, "_validate_spec", classmethod(check_once)):
        yield
