"""Commands that people run in a terminal, without a server."""
