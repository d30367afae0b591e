"""One person's way to an instance: HTTP with a session cookie, nothing else."""

import socket
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests

TIMEOUT_SECONDS = 60


class Refusal(Exception):
    """The instance said no, and the story did not expect it."""


class Browser:
    """A signed-in person; every answer that is not as expected ends the demonstration."""

    def __init__(self, base: str, email: str, password: str) -> None:
        self.base = base
        self.email = email
        self._session = requests.Session()
        self._session.trust_env = False
        self.post("/api/auth/sign-in", {"email": email, "password": password})

    def get(self, path: str, **query: str | int) -> Any:
        return self.send("GET", path, params=query).json()

    def post(self, path: str, body: object = None, expect: int | None = None) -> Any:
        return self.send("POST", path, json=body, expect=expect).json()

    def put(self, path: str, body: object = None) -> Any:
        return self.send("PUT", path, json=body).json()

    def send(self, method: str, path: str, expect: int | None = None, **options: Any) -> requests.Response:
        """Send a request; without `expect` any 2xx is fine. Raises `Refusal`."""
        answer = self._session.request(method, self.base + path, timeout=TIMEOUT_SECONDS, **options)
        is_fine = answer.ok if expect is None else answer.status_code == expect
        if not is_fine:
            raise Refusal(f"{method} {path} answered {answer.status_code}: {answer.text[:500]}")
        return answer

    def download(self, path: str, target: Path) -> requests.Response:
        answer = self.send("GET", "/api/files/download", params={"path": path}, stream=True)
        with target.open("wb") as file:
            for block in answer.iter_content(1 << 20):
                file.write(block)
        return answer

    def drop_in_the_middle(self, path: str, offset: int, announced: int, sent: bytes) -> None:
        """Begin a chunk of `announced` bytes, send only `sent`, and let the connection break."""
        place = urlsplit(self.base)
        cookie = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._session.cookies)
        head = (
            f"PATCH {path} HTTP/1.1\r\nHost: {place.netloc}\r\nCookie: {cookie}\r\n"
            f"x-service-offset: {offset}\r\nContent-Length: {announced}\r\n\r\n"
        )
        with socket.create_connection(
            (place.hostname or "", place.port or 80), TIMEOUT_SECONDS
        ) as connection:
            connection.sendall(head.encode("ascii") + sent)
