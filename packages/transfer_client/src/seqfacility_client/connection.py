"""HTTP to one facility, by session or token: failures that may pass are told from refusals that stay."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from requests.cookies import RequestsCookieJar

from seqfacility_client.credentials import Credentials
from seqfacility_client.errors import Interrupted, TransferRefused
from seqfacility_client.rate import Rate

_PASSING = frozenset({408, 409, 429, 502, 503, 504})
_TOKEN_REFUSALS = {
    401: "the token is unknown, expired or revoked, or the facility is older than 0.2.0",
    403: "look at the scopes and the addresses of the token",
}
_SEND_SECONDS = 30
"""For a connection to open, and for each block of a body to leave."""
_ANSWER_SECONDS = 180
"""A chunk may wait 20 s for a lock, and a slow disk takes its time to make it durable."""
_BLOCK_BYTES = 256 * 1024


class Content(Protocol):
    """A body that is read while it is sent."""

    def __len__(self) -> int: ...
    def read(self, size: int = -1, /) -> bytes: ...


@dataclass(slots=True)
class Connection:
    """Requests to the facility at `base_url` as one person or machine; used by several threads at once."""

    base_url: str
    credentials: Credentials
    _threads: threading.local = field(default_factory=threading.local, repr=False)
    _cookies: RequestsCookieJar = field(default_factory=RequestsCookieJar, repr=False)
    _sign_in_lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def sign_in(self) -> None:
        """Sign in (again); with a token there is nothing to do.

        Raises `TransferRefused` with the facility's words, `Interrupted` when it does not answer.

        Decision: G24, G25.
        """
        if self.credentials.token:
            return
        with self._sign_in_lock:
            body = {"email": self.credentials.email, "password": self.credentials.password}
            answer = self._send("POST", "/api/auth/sign-in", json=body)
            if answer.status_code != 200:
                raise TransferRefused(refusal_text(answer))
            self._cookies = answer.cookies
        if urlsplit(self.base_url).scheme != "https" and any(cookie.secure for cookie in self._cookies):
            raise TransferRefused("the facility keeps a session only under its https address; give that")

    def get(self, path: str) -> dict[str, Any]:
        """Get a JSON object; raises as `ask`."""
        return json_object(self.ask("GET", path))

    def post(self, path: str, body: Mapping[str, object] | None = None) -> dict[str, Any]:
        """Send a JSON body, get a JSON object; raises as `ask`."""
        return json_object(self.ask("POST", path, json=body))

    def ask(
        self, method: str, path: str, *, handled: frozenset[int] = frozenset(), **options: Any
    ) -> requests.Response:
        """Send a request and give its answer of the 200s, or one whose status the caller handles.

        Raises `Interrupted` when it may work later (no connection, 408, 409, 429, 502 to 504, or a session
        that ended: then it was renewed), else `TransferRefused` with the facility's words.
        """
        answer = self._send(method, path, **options)
        status = answer.status_code
        if 200 <= status < 300 or status in handled:
            return answer
        if self.credentials.token and status in _TOKEN_REFUSALS:
            raise TransferRefused(f"{refusal_text(answer)}: {_TOKEN_REFUSALS[status]}")
        if status == 401:
            self.sign_in()
            raise Interrupted("the session had ended")
        if status in _PASSING:
            raise Interrupted(refusal_text(answer), _asked_pause(answer))
        if 300 <= status < 400:
            raise TransferRefused(f"{self.base_url} sends us to {answer.headers.get('Location')}; give that")
        raise TransferRefused(refusal_text(answer))

    @contextmanager
    def reading(
        self, path: str, params: Mapping[str, str], headers: Mapping[str, str]
    ) -> Iterator["Download"]:
        """Open a download; 416 is an answer like 200 and 206. Raises as `ask`, also while it is read."""
        identity = {"Accept-Encoding": "identity", **headers}
        answer = self.ask("GET", path, handled=frozenset({416}), params=params, headers=identity, stream=True)
        with answer:
            yield Download(answer)

    def _send(self, method: str, path: str, **options: Any) -> requests.Response:
        timeout = (_SEND_SECONDS, _ANSWER_SECONDS)
        if self.credentials.token:
            bearer = {"Authorization": f"Bearer {self.credentials.token}"}
            options["headers"] = {**options.get("headers", {}), **bearer}
        try:
            return self._session().request(
                method,
                self.base_url + path,
                cookies=self._cookies,
                allow_redirects=False,
                timeout=timeout,
                **options,
            )
        except requests.exceptions.InvalidURL as wrong:
            raise TransferRefused(f"{self.base_url} is not an address") from wrong
        except requests.RequestException as broken:
            raise Interrupted(f"{self.base_url} does not answer ({type(broken).__name__})") from broken

    def _session(self) -> requests.Session:
        session: requests.Session | None = getattr(self._threads, "session", None)
        if session is None:
            session = requests.Session()
            # WHY: without it a password of ~/.netrc would be sent along.
            session.auth = _no_credentials
            session.mount("http://", _LargeBlocks())
            session.mount("https://", _LargeBlocks())
            self._threads.session = session
        return session


@dataclass(frozen=True, slots=True)
class Download:
    """An answer whose body is still on its way."""

    answer: requests.Response

    def blocks(self, rate: Rate) -> Iterator[bytes]:
        """Return the body block by block; raises `Interrupted` when it breaks off, and `Stopped`."""
        try:
            for block in self.answer.iter_content(rate.block(_BLOCK_BYTES)):
                rate.wait(len(block))
                yield block
        except requests.RequestException as broken:
            raise Interrupted("the connection broke off") from broken


def json_object(answer: requests.Response) -> dict[str, Any]:
    """Parse an answer; raises `TransferRefused` when another kind of server speaks."""
    with suppress(ValueError):
        parsed = answer.json()
        if isinstance(parsed, dict):
            return parsed
    raise TransferRefused(f"{urlsplit(answer.url).netloc} answers, but is no facility")


def refusal_text(answer: requests.Response) -> str:
    """Return the facility's own words on one line, else the status. Decision: G259."""
    with suppress(ValueError, TransferRefused):
        body = json_object(answer)
        if isinstance(body.get("error"), str):
            details = body.get("details")
            lines = [str(body["error"]), *(map(str, details) if isinstance(details, list) else ())]
            return "; ".join(" ".join(line.split()) for line in lines)
    return f"the facility answered with status {answer.status_code}"


def _asked_pause(answer: requests.Response) -> float:
    asked = answer.headers.get("Retry-After", "")
    return float(asked) if asked.isascii() and asked.isdigit() else 0.0


def _no_credentials(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


class _LargeBlocks(HTTPAdapter):
    """Sends bodies in larger blocks: 16 KiB at a time would cost the client a third of its speed."""

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options, blocksize=_BLOCK_BYTES)
