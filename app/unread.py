"""Fields that say where the data is instead of giving it, which explain why it is missed."""

from app.fields import Fields


def unread(body: object, fields: Fields, parent: str = "") -> str | None:
    """``field: problem`` for the first field that the document has such a text for.

    ``body`` is one that is not valid: with its data in place such a field is only ignored.
    """
    if not isinstance(body, dict):
        return None
    for name, value in body.items():
        known = fields.get(name)
        if known is None:
            continue
        path = f"{parent}{name}"
        if known.unread is not None:
            return f"{path}: {known.unread}"
        problem = _unread_within(value, known.members, path, is_list=known.is_only_item)
        if problem is not None:
            return problem
    return None


def _unread_within(value: object, members: Fields, path: str, *, is_list: bool) -> str | None:
    if not is_list or not isinstance(value, list):
        return unread(value, members, f"{path}.")
    problems = (unread(item, members, f"{path}[{at}].") for at, item in enumerate(value))
    return next((problem for problem in problems if problem is not None), None)
