"""How long a certificate is valid, asked of a server as a stranger's program would."""

import datetime as dt
import ipaddress
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from seqfacility_instance.site.public_probe import PublicProbe, Unreachable

Serve = Callable[[dt.timedelta], tuple[str, dt.datetime]]


def certificate(file: Path, left: dt.timedelta) -> dt.datetime:
    """Write a key with a certificate for 127.0.0.1, signed by itself; give the time at which it ends."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    ends_at = (dt.datetime.now(dt.UTC) + left).replace(microsecond=0)
    address = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(ends_at - dt.timedelta(days=400))
        .not_valid_after(ends_at)
        .add_extension(address, critical=False)
        .sign(key, hashes.SHA256())
    )
    encoding, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    private = key.private_bytes(encoding, form, serialization.NoEncryption())
    file.write_bytes(private + signed.public_bytes(encoding))
    return ends_at


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    file = tmp_path / "server.pem"
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    server = ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))

    def begin(left: dt.timedelta) -> tuple[str, dt.datetime]:
        ends_at = certificate(file, left)
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(file)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread.start()
        return f"https://127.0.0.1:{server.server_address[1]}", ends_at

    yield begin
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_end_of_a_certificate_is_read(serve: Serve) -> None:
    address, ends_at = serve(dt.timedelta(days=9))

    assert PublicProbe(address).certificate_end() == ends_at


def test_a_certificate_that_has_ended_makes_the_address_unusable(serve: Serve) -> None:
    address, _ = serve(-dt.timedelta(days=1))

    with pytest.raises(Unreachable, match="certificate has expired"):
        PublicProbe(address).certificate_end()
