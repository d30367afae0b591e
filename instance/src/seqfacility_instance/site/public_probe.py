"""HTTP as a stranger's program speaks it to the public address: every byte of an answer, nothing followed."""

import http.client
import select
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

PATIENCE_SECONDS: Final = 10.0
_MAX_BYTES: Final = 4 * 1024 * 1024


class Unreachable(Exception):
    """Nobody answered, or not in HTTP; the text says why."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes

    @property
    def is_ours(self) -> bool:
        """Whether the service itself answered, and not something in front of it. Decision: G17."""
        return "x-service-version" in self.headers and "x-request-id" in self.headers


@dataclass(frozen=True, slots=True)
class PublicProbe:
    """The public address of a service."""

    url: str

    @property
    def origin(self) -> str:
        """What a browser says of a page of this address."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    def own_address(self) -> str:
        """Return the address that we have on the way there; raises `Unreachable`."""
        try:
            connection = self._connect()
            try:
                return str(connection.sock.getsockname()[0])
            finally:
                connection.close()
        except OSError as error:
            raise Unreachable(_why(error)) from error

    def certificate_end(self) -> datetime | None:
        """Return the time until which the certificate is valid; None without TLS. Raises `Unreachable`."""
        try:
            connection = self._connect()
            try:
                shown = connection.sock.getpeercert() if isinstance(connection.sock, ssl.SSLSocket) else None
            finally:
                connection.close()
        except OSError as error:
            raise Unreachable(_why(error)) from error
        return (
            None
            if not shown
            else datetime.fromtimestamp(ssl.cert_time_to_seconds(str(shown["notAfter"])), UTC)
        )

    def ask(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Answer:
        """Send one request and read its answer; raises `Unreachable`."""
        try:
            connection = self._connect()
            try:
                connection.request(method, self._target(path), body or None, dict(headers or {}))
                return _read(connection)
            finally:
                connection.close()
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(_why(error)) from error

    def answer_to_begun_body(
        self, method: str, path: str, headers: Mapping[str, str], announced: int, sent: bytes
    ) -> Answer | None:
        """Announce a body, send only its beginning, and give what is answered meanwhile; None is silence.

        Raises `Unreachable`.
        """
        try:
            connection = self._connect()
            try:
                connection.putrequest(method, self._target(path))
                for name, value in {**headers, "Content-Length": str(announced)}.items():
                    connection.putheader(name, value)
                connection.endheaders()
                _send_what_is_taken(connection, sent)
                readable, _, _ = select.select([connection.sock], [], [], PATIENCE_SECONDS)
                return _read(connection) if readable else None
            finally:
                connection.close()
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(_why(error)) from error

    def _connect(self) -> http.client.HTTPConnection:
        parts = urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=PATIENCE_SECONDS)
        connection.connect()
        return connection

    def _target(self, path: str) -> str:
        return urlsplit(self.url).path.rstrip("/") + path


def _send_what_is_taken(connection: http.client.HTTPConnection, sent: bytes) -> None:
    """Send; a server that has refused already may close while we write, and its answer counts."""
    try:
        connection.send(sent)
    except (BrokenPipeError, ConnectionResetError):
        return


def _read(connection: http.client.HTTPConnection) -> Answer:
    response = connection.getresponse()
    headers = {name.lower(): value for name, value in response.getheaders()}
    return Answer(response.status, headers, response.read(_MAX_BYTES))


def _why(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted ({error.verify_message})"
    if isinstance(error, TimeoutError):
        return f"no answer within {PATIENCE_SECONDS:.0f} seconds"
    return str(error) or type(error).__name__
