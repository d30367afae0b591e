"""How long a certificate is valid, asked of a server as a stranger's program would."""

import datetime as dt
import ssl
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from seqfacility_instance.site.public_probe import PublicProbe, Unreachable
from seqfacility_testkit.certificates import certificate

Serve = Callable[[dt.timedelta], tuple[str, dt.datetime]]


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
