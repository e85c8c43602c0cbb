"""Swagger UI for the served document. Its files are unchanged; our own are index.html, exact-json.js
and start.js.
"""
