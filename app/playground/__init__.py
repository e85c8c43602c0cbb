"""The page at ``/`` for trying a model: static files that take every field from the document."""
