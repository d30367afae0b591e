"""A real mail server for tests: STARTTLS or TLS, sign-in, refusals, silence, and connections that it closes.

As a program it serves until it is ended, and appends what it takes to a file: `python -m
seqfacility_testkit.mail_server FILE [--slow-answer SECONDS]`. It prints its port first.
"""

import argparse
import asyncio
import email
import socket
import ssl
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "127.0.0.1"
USER = "seqfacility"
PASSWORD = "taken at the counter"  # noqa: S105  # a password of tests only


class Protection(StrEnum):
    """How the server protects its connections."""

    NONE = "none"
    STARTTLS = "starttls"
    TLS = "tls"


class Ending(StrEnum):
    """What the server does once it has the whole of a mail."""

    TAKE = "take"
    CLOSE_AFTER_TAKING = "close"
    NEVER_ANSWER = "silence"


@dataclass
class MailServer:
    """Takes mail and remembers it; a test changes its behaviour while it runs."""

    recipient_answer: str = "250 OK"
    data_answer: str = "250 Taken"
    ending: Ending = Ending.TAKE
    slow_answer_seconds: float = 0.0
    kept_in: Path | None = None
    taken: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    signed_in: list[str] = field(default_factory=list)
    secured: list[bool] = field(default_factory=list)
    arrived: threading.Event = field(default_factory=threading.Event)
    port: int = 0

    async def handle_RCPT(  # noqa: N802  # a name of aiosmtpd
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if self.recipient_answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return self.recipient_answer

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802  # the same
        if self.data_answer.startswith("2"):
            self._take(server, envelope)
        if self.ending is Ending.CLOSE_AFTER_TAKING:
            assert server.transport is not None
            server.transport.close()
        if self.ending is Ending.NEVER_ANSWER:
            await asyncio.sleep(3600)
        await asyncio.sleep(self.slow_answer_seconds)
        return self.data_answer

    def _take(self, server: SMTP, envelope: Envelope) -> None:
        content = envelope.content
        assert isinstance(content, bytes)
        message = email.message_from_bytes(content, policy=default)
        assert isinstance(message, EmailMessage)
        if self.kept_in is not None:
            with self.kept_in.open("a") as file:
                file.write(f"{message['Message-ID']} {envelope.rcpt_tos[0]}\n")
        self.taken.append(message)
        self.recipients += envelope.rcpt_tos
        assert server.transport is not None
        self.secured.append(server.transport.get_extra_info("ssl_object") is not None)
        self.arrived.set()

    def authenticate(
        self, _server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: Any
    ) -> AuthResult:
        """Let in whoever knows the password."""
        is_known = (data.login, data.password) == (USER.encode(), PASSWORD.encode())
        if is_known:
            self.signed_in.append(data.login.decode())
        return AuthResult(success=is_known, handled=False)


class _Controller(Controller):
    def _trigger_server(self) -> None:
        """Learn the port that the system chose, before the first connection."""
        assert self.server is not None
        self.port = self.server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]  # it is asyncio's
        super()._trigger_server()  # type: ignore[no-untyped-call]  # it has no types


@contextmanager
def mail_server(
    protection: Protection = Protection.NONE,
    certificate: Path | None = None,
    **behaviour: Any,
) -> Iterator[MailServer]:
    """Run a mail server in a thread; a certificate with its key is in one file."""
    server = MailServer(**behaviour)
    options: dict[str, Any] = {"authenticator": server.authenticate}
    context = None
    if certificate is not None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate)
    if protection is Protection.STARTTLS:
        options |= {"tls_context": context, "require_starttls": True}
    else:
        options["auth_require_tls"] = False
    ssl_context = context if protection is Protection.TLS else None
    controller = _Controller(server, hostname=HOST, port=0, ssl_context=ssl_context, **options)
    controller.start()
    server.port = controller.port
    try:
        yield server
    finally:
        controller.stop()


@contextmanager
def dripping_server() -> Iterator[MailServer]:
    """Run a server that greets with one byte after the other and never comes to an end."""
    with socket.create_server((HOST, 0)) as listener:
        is_over = threading.Event()

        def greet() -> None:
            connection, _address = listener.accept()
            with connection, suppress(OSError):
                while not is_over.wait(0.05):
                    connection.sendall(b"2")

        thread = threading.Thread(target=greet, daemon=True)
        thread.start()
        try:
            yield MailServer(port=listener.getsockname()[1])
        finally:
            is_over.set()
            thread.join()


def make_certificate(folder: Path, host: str = HOST) -> Path:
    """Write a certificate that signs itself, with its key; whoever trusts the file trusts the server."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail of tests")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(host))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / f"mail-{host}.pem"
    file.write_bytes(
        certificate.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return file


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--slow-answer", type=float, default=0.0)
    arguments = parser.parse_args()
    with mail_server(kept_in=arguments.file, slow_answer_seconds=arguments.slow_answer) as server:
        sys.stdout.write(f"{server.port}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
