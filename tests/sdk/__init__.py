"""The client libraries that are made from the document."""
