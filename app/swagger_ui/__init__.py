"""Swagger UI for the served document; its files are unchanged, but for index.html and start.js."""
