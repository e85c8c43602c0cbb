"""Offers of another protocol, declined without losing the request that makes them."""

import httptools

from app.bounded import BoundedProtocol
from app.connection import ConnectionLimits
from app.errors import HttpError
from app.request_head import NOT_HTTP

_OFFER = (b"upgrade", b"http2-settings")  # the headers, and the options that belong to them


class PlainHTTPProtocol(BoundedProtocol):
    """Serves a request that offers an upgrade as the HTTP/1.1 request that it is besides.

    httptools takes what follows the headers of such a request for the other protocol, and its
    body would be lost. Java's client makes the offer (``Upgrade: h2c``) with its first request.
    """

    _plain_head: bytes | None = None  # of a request with an offer, until it is parsed again

    def on_headers_complete(self) -> None:
        if self.parser.get_method() == b"CONNECT":
            self._refusal = HttpError(400, NOT_HTTP)
            raise self._refusal  # ends as a parser error, before there is a request
        if self.parser.should_upgrade():
            self._plain_head = self._head_without_offer()
        else:
            super().on_headers_complete()

    def on_message_complete(self) -> None:
        if self._plain_head is None:
            super().on_message_complete()

    def _feed(self, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as offer:
            if self._plain_head is None:
                raise
            head, self._plain_head = self._plain_head, None
            self.parser = httptools.HttpRequestParser(self)
            self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
            self._feed(head + data[offer.args[0] :])

    def _head_without_offer(self) -> bytes:
        version = self.parser.get_http_version().encode()
        lines = [self.parser.get_method() + b" " + self.url + b" HTTP/" + version]
        for name, value in self.headers:
            if name == b"connection":
                lines.append(b"connection: " + _without_offer(value))
            elif name not in _OFFER:
                lines.append(name + b": " + value)
        return b"\r\n".join(lines) + b"\r\n\r\n"


def _without_offer(options: bytes) -> bytes:
    """What is said of the connection besides: that it is to be closed, for example."""
    kept = (option.strip() for option in options.split(b","))
    return b", ".join(option for option in kept if option.lower() not in _OFFER)


def protocol_class(limits: ConnectionLimits) -> type[BoundedProtocol]:
    """The protocol of a server with these limits, as uvicorn wants it: a class."""
    return type("LimitedHTTPProtocol", (PlainHTTPProtocol,), {"limits": limits})
