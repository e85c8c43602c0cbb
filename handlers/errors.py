"""What handlers refuse by themselves; messages are fit for the client."""


class NotRunningError(Exception):
    """No request of that id is running."""
