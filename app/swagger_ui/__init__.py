"""Swagger UI for the served document; our own are index.html, exact-json.js and start.js."""
