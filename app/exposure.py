"""Whether a server may be started where its settings put it."""

import ipaddress
import socket

from app.settings import Settings, SettingsError


def check_exposure(settings: Settings) -> None:
    """Raises SettingsError for a server that strangers could use without a key."""
    if settings.api_keys_file is not None or settings.allow_anonymous:
        return
    if not _is_loopback(settings.host):
        raise SettingsError(
            f"host: others can connect to {settings.host}, and no key is asked for: make one with"
            " genspec keys add NAME --api-keys-file FILE and serve with --api-keys-file FILE, or"
            " let everybody in with --allow-anonymous true"
        )


def _is_loopback(host: str) -> bool:
    """Whether every address of the host is this machine's own, out of reach for others."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError:
        return True  # nobody can connect to what cannot be listened on, which is told later
    addresses = {str(address[0]).partition("%")[0] for *_, address in found}
    return all(ipaddress.ip_address(address).is_loopback for address in addresses)
