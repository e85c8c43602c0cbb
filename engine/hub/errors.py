"""The one way in which fetching a model fails."""


class HubError(Exception):
    """A model cannot be found, fetched or converted.

    The message is one line for the person at the terminal: what went wrong and what to do. It may
    name local directories, so it never goes to a client of the server.
    """
