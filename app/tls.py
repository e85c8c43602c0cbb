"""HTTPS, and clients that show certificates."""

import ssl
from pathlib import Path

from app.settings import Settings, SettingsError


def tls_context(settings: Settings) -> ssl.SSLContext | None:
    """TLS 1.2 or later with the certificate of the settings; None where they name none.

    Raises SettingsError for files that cannot be used.
    """
    if settings.tls_certificate_file is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    password = settings.tls_key_password
    try:
        context.load_cert_chain(
            _readable(settings.tls_certificate_file, "tls_certificate_file"),
            settings.tls_key_file and _readable(settings.tls_key_file, "tls_key_file"),
            # An empty one is refused; without any, OpenSSL would ask on the terminal.
            "" if password is None else password.get_secret_value(),
        )
    except (ssl.SSLError, ValueError):
        raise SettingsError(
            "tls_certificate_file: is not a certificate in PEM with its private key, or the key"
            " (tls_key_file) is another's or needs another password (tls_key_password)"
        ) from None
    if settings.tls_client_ca_file is not None:
        _require_clients(context, settings.tls_client_ca_file)
    return context


def _require_clients(context: ssl.SSLContext, authorities: Path) -> None:
    try:
        context.load_verify_locations(_readable(authorities, "tls_client_ca_file"))
    except ssl.SSLError:
        raise SettingsError("tls_client_ca_file: has no certificates in PEM") from None
    context.verify_mode = ssl.CERT_REQUIRED


def _readable(path: Path, name: str) -> Path:
    try:
        path.read_bytes()
    except OSError as exc:
        raise SettingsError(f"{name}: {path} cannot be read: {exc.strerror}") from None
    return path
