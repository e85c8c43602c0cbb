"""HTTPS, clients with certificates, and files that cannot be used."""

import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import trustme

from app.settings import Settings, SettingsError, load_settings
from app.tls import tls_context
from tests.fake_engine import FakeEngine, chunk
from tests.live_server import GENERATE, LiveServer, get, serving

HEADER_TIMEOUT = 0.5


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory, authority: trustme.CA) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("tls")
    made = {name: folder / f"{name}.pem" for name in ("both", "certificate", "key", "ca", "other")}
    certificate = authority.issue_cert("127.0.0.1")
    certificate.private_key_and_cert_chain_pem.write_to_path(str(made["both"]))
    certificate.cert_chain_pems[0].write_to_path(str(made["certificate"]))
    certificate.private_key_pem.write_to_path(str(made["key"]))
    authority.cert_pem.write_to_path(str(made["ca"]))
    authority.issue_cert("other").private_key_pem.write_to_path(str(made["other"]))
    return made


@pytest.fixture(scope="module")
def https(files: dict[str, Path]) -> Iterator[LiveServer]:
    with serving(tls_certificate_file=files["both"], header_timeout=HEADER_TIMEOUT) as server:
        yield server


@pytest.fixture(scope="module")
def mutual(files: dict[str, Path]) -> Iterator[LiveServer]:
    with serving(
        tls_certificate_file=files["certificate"],
        tls_key_file=files["key"],
        tls_client_ca_file=files["ca"],
    ) as server:
        yield server


@contextmanager
def client(
    server: LiveServer, trusted: trustme.CA, shown: trustme.LeafCert | None = None
) -> Iterator[httpx.Client]:
    context = ssl.create_default_context()
    trusted.configure_trust(context)
    if shown is not None:
        shown.configure_cert(context)
    with httpx.Client(verify=context, base_url=f"https://127.0.0.1:{server.port}") as made:
        yield made


def test_an_https_server_answers_those_who_trust_its_authority(
    https: LiveServer, authority: trustme.CA
) -> None:
    with client(https, authority) as made:
        reply = made.post(
            GENERATE, json={"text_input": "hi"}, headers={"Origin": str(made.base_url).rstrip("/")}
        )
    assert (reply.status_code, reply.json()["text_output"]) == (200, "Hello")


def test_nobody_else_is_talked_to(https: LiveServer) -> None:
    with client(https, trustme.CA()) as made, pytest.raises(httpx.ConnectError):
        made.get("/v2/health/live")
    with https.connection() as plain:
        plain.send(get("/v2/health/live"))
        assert b"HTTP/" not in plain.read_bytes(1000)


def test_versions_of_tls_that_are_broken_are_refused(
    https: LiveServer, authority: trustme.CA
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    authority.configure_trust(context)
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.set_ciphers("ALL:@SECLEVEL=0")
    with https.connection() as connection, pytest.raises((ssl.SSLError, OSError)):
        context.wrap_socket(connection.socket, server_hostname="127.0.0.1")


def test_limits_and_refusals_hold_behind_tls_too(https: LiveServer, authority: trustme.CA) -> None:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    for raw, status in ((b"nonsense\r\n\r\n", b"400"), (b"GET /v2 HT", b"408")):
        started = time.monotonic()
        with (
            https.connection() as connection,
            context.wrap_socket(connection.socket, server_hostname="127.0.0.1") as secure,
        ):
            secure.sendall(raw)
            answer = secure.makefile("rb").read()
        assert answer.startswith(b"HTTP/1.1 " + status)
        assert time.monotonic() - started < HEADER_TIMEOUT + 3


def test_a_failed_stream_is_cut_behind_tls_too(
    files: dict[str, Path], authority: trustme.CA
) -> None:
    engine = FakeEngine(script=[chunk("a")], failure=RuntimeError("a fault"))
    with (
        serving(engine, tls_certificate_file=files["both"]) as server,
        client(server, authority) as made,
    ):
        with made.stream("POST", f"{GENERATE}_stream", json={"text_input": "hi"}) as reply:
            with pytest.raises(httpx.RemoteProtocolError):
                reply.read()


def test_a_client_with_a_certificate_of_the_authority_is_answered(
    mutual: LiveServer, authority: trustme.CA
) -> None:
    with client(mutual, authority, authority.issue_cert("client")) as made:
        assert made.get("/v2/health/live").json() == {"live": True}


@pytest.mark.parametrize("shown", [None, trustme.CA().issue_cert("client")], ids=["none", "other"])
def test_a_client_without_one_is_not(
    mutual: LiveServer, authority: trustme.CA, shown: trustme.LeafCert | None
) -> None:
    with client(mutual, authority, shown) as made, pytest.raises(httpx.TransportError):
        made.get("/v2/health/live")


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({"tls_certificate_file": "absent"}, "tls_certificate_file"),
        ({"tls_certificate_file": "certificate"}, "tls_certificate_file"),
        ({"tls_certificate_file": "ca"}, "tls_certificate_file"),
        ({"tls_certificate_file": "certificate", "tls_key_file": "other"}, "tls_certificate_file"),
        ({"tls_certificate_file": "certificate", "tls_key_file": "absent"}, "tls_key_file"),
        ({"tls_certificate_file": "both", "tls_client_ca_file": "key"}, "tls_client_ca_file"),
        ({"tls_certificate_file": "both", "tls_client_ca_file": "absent"}, "tls_client_ca_file"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(
    files: dict[str, Path], settings: dict[str, str], name: str
) -> None:
    paths = {key: files.get(value, Path("/nowhere")) for key, value in settings.items()}
    with pytest.raises(SettingsError, match=f"^{name}: "):
        tls_context(Settings.model_validate(paths))


def test_a_key_may_have_a_password(files: dict[str, Path], tmp_path: Path) -> None:
    from cryptography.hazmat.primitives import serialization

    key = serialization.load_pem_private_key(files["key"].read_bytes(), None)
    locked = tmp_path / "locked.pem"
    locked.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.BestAvailableEncryption(b"secret"),
        )
    )
    paths = {"tls_certificate_file": files["certificate"], "tls_key_file": locked}

    assert tls_context(Settings.model_validate({**paths, "tls_key_password": "secret"}))
    for password in ({}, {"tls_key_password": "wrong"}):
        with pytest.raises(SettingsError, match="tls_key_password"):
            tls_context(Settings.model_validate({**paths, **password}))


@pytest.mark.parametrize("name", ["tls_key_file", "tls_key_password", "tls_client_ca_file"])
def test_what_belongs_to_a_certificate_needs_one(name: str) -> None:
    with pytest.raises(SettingsError, match=f"^{name}: needs tls_certificate_file"):
        load_settings({name: "x"})


def test_the_password_is_not_shown() -> None:
    shown = repr(
        Settings.model_validate({"tls_certificate_file": "x", "tls_key_password": "secret"})
    )
    assert "secret" not in shown
