"""A registry under examination: what it answers, and how a case says what it found."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn
from urllib.parse import urlsplit

import requests
from seqfacility_pipeline_package.documents import NotStrictJson, read_foreign_json
from seqfacility_schemas import Profile, problems
from urllib3.exceptions import HTTPError

from seqfacility_registry.conformance.exchange import (
    Answer,
    AnswerRefused,
    exchange,
    new_session,
    unpacked,
    within,
)

MAX_BYTES: Final = 16 * 1024 * 1024
"""So much an instance reads of an answer."""

MAX_RUN_BYTES: Final = 1024 * 1024 * 1024
"""For all answers of a host together, which are kept while it is examined."""

ANSWER_SECONDS: Final = 60.0
"""For a whole answer; a limit on silence alone would wait for ever on one that drips."""

RUN_SECONDS: Final = 3600.0

NOBODYS_ACCESSION = "NO-SUCH-CHECKLIST-0"


class Failed(Exception):
    """A promise of the contract is not kept."""


class Unreachable(Failed):
    """Nobody answers, or not in time."""


class Skipped(Exception):
    """This host cannot be asked that, and need not."""


class Reply(Answer):
    """An answer with its body unpacked."""

    __slots__ = ()

    def json(self) -> Any:
        """Return the body as a document; raises `Failed` when it is none."""
        try:
            return read_foreign_json(self.body)
        except NotStrictJson as wrong:
            raise Failed(f"the answer {wrong}") from wrong

    @property
    def error(self) -> str | None:
        """Return the text of an `{error}` body; None when the host answers in its own words."""
        try:
            document = read_foreign_json(self.body)
        except NotStrictJson:
            return None
        text = document.get("error") if isinstance(document, dict) else None
        return text if isinstance(text, str) else None


@dataclass
class Mirror:
    """A host that serves a registry at `base_url`, which ends in `/api`."""

    base_url: str
    session: requests.Session
    is_static: bool = False
    warnings: list[str] = field(default_factory=list)
    _kept: dict[str, Reply] = field(default_factory=dict)
    _bytes_left: int = MAX_RUN_BYTES
    _deadline: float = field(default_factory=lambda: time.monotonic() + RUN_SECONDS)

    def ask(
        self,
        path: str,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
        query: Mapping[str, str] | None = None,
        max_bytes: int = MAX_BYTES,
    ) -> Reply:
        """Send one request; `path` is below the base address, or below the origin when it begins with
        `//`. Raises `Unreachable` when nobody answers in time, `Failed` for an answer that is broken or
        for a document of more than `max_bytes`.

        What is signed comes from the host itself, as instances take it: a redirect may not leave it.
        """
        address = self.origin + path[1:] if path.startswith("//") else self.base_url + path
        what = f"{method} {path}"

        def run() -> Answer:
            return exchange(
                self.session,
                method,
                address,
                headers={"Accept-Encoding": "identity", **(headers or {})},
                query=query,
                body=body,
                max_bytes=max_bytes,
                stays_at_origin=path.startswith("/trust/"),
            )

        seconds = min(ANSWER_SECONDS, self._deadline - time.monotonic())
        if seconds <= 0 or self._bytes_left <= 0:
            raise Unreachable(f"{what}: the host has taken {RUN_SECONDS:.0f} s or {MAX_RUN_BYTES} bytes")
        try:
            answer = within(seconds, run)
            is_packed = answer.headers.get("content-encoding", "").lower() == "gzip" and method != "HEAD"
            content = unpacked(answer.body, max_bytes) if is_packed and answer.body else answer.body
        except (requests.ConnectionError, requests.Timeout, TimeoutError) as silent:
            raise Unreachable(f"{what}: {type(silent).__name__}") from silent
        except AnswerRefused as refused:
            raise Failed(f"{what}: {refused}") from refused
        except (requests.RequestException, HTTPError, OSError, ValueError) as broken:
            # Headers that lie about the body, or that no program can send back.
            raise Failed(f"{what}: {type(broken).__name__}") from broken
        reply = Reply(answer.status, answer.headers, content)
        self._bytes_left -= reply.size
        if len(content) > max_bytes and reply.status == 200:
            raise Failed(f"{what}: more than {max_bytes} bytes")
        return reply

    @property
    def origin(self) -> str:
        """Return scheme and host, against which relative image paths are resolved."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.netloc}"

    def beside(self, path: str) -> str:
        """Return what `ask` takes for a path below the root of the mirror, in which `/api` lies."""
        if path.startswith("api/"):
            return path.removeprefix("api")
        return f"/{urlsplit(self.base_url).path.removesuffix('/api')}/{path}"

    def read(self, path: str, max_bytes: int = MAX_BYTES) -> Reply:
        """Get a document that exists, once; raises `Failed` for any other status than 200."""
        if path not in self._kept:
            reply = self.ask(path, max_bytes=max_bytes)
            if reply.status != 200:
                raise Failed(f"GET {path}: status {reply.status}")
            self._kept[path] = reply
        return self._kept[path]

    def document(self, path: str, schema: str) -> dict[str, Any]:
        """Get a document that is an object, as `checked` does."""
        document = self.checked(path, schema)
        assert isinstance(document, dict)
        return document

    def checked(self, path: str, schema: str) -> Any:
        """Get a document and hold it against its schema, as instances do: a later registry may say more.

        What it says more becomes a warning.

        Decision: G445.
        """
        document = self.read(path).json()
        found = problems(schema, document, 3, Profile.CONSUMER)
        if found:
            raise Failed(f"GET {path}: {'; '.join(found)}")
        self.warnings.extend(f"GET {path}: {line}" for line in problems(schema, document, 3))
        return document

    def expect_header(self, reply: Reply, name: str, wanted: str) -> None:
        """Hold a header to the letter; a host of files may send none, or what it sends with every file."""
        sent = reply.headers.get(name)
        if sent is None and self.is_static:
            raise Skipped(f"the server sends no {name}: see server/ of the export")
        if sent != wanted:
            self.tell(f"{name} is {sent!r}, not {wanted!r}")

    def tell(self, fault: str) -> None:
        """Fail for what a service must not do; of a host of files that does its own way it is a warning.

        Decision: G965.
        """
        if not self.is_static:
            raise Failed(fault)
        self.warnings.append(fault)

    def expect_refusal(self, reply: Reply, status: int, text: str) -> None:
        """Hold a refusal to the letter; a plain static server has words of its own."""
        if self.is_static and reply.error is None and reply.status >= 400:
            raise Skipped("the server refuses in its own words: see server/ of the export")
        if (reply.status, reply.error) != (status, text):
            raise Failed(f"answered {reply.status} {reply.error!r}, not {status} {text!r}")
        if found := problems("registry/error", reply.json()):
            raise Failed(found[0])
        self.expect_header(reply, "cache-control", "no-store")

    def needs_service(self) -> None:
        """Skip a case that asks for queries or codes when files answer. Decision: G266."""
        if self.is_static:
            raise Skipped("a static mirror answers no queries and knows no codes")


def fail(text: str) -> NoReturn:
    """Raise `Failed`, which ends the case."""
    raise Failed(text)


def expect(truth: bool, otherwise: str) -> None:
    """Raise `Failed` with the text unless `truth` holds."""
    if not truth:
        raise Failed(otherwise)


def base_url_of(text: str) -> str:
    """Read the address of a registry; `/api` is added to a bare host. Raises `ValueError`. Decision: G266."""
    address = text.strip().rstrip("/")
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise ValueError("URL must be an http(s) address of a registry")
    return address if parts.path.endswith("/api") else f"{address}/api"


def open_mirror(text: str) -> Mirror:
    """Find out whether the host answers, and whether files or a service answer.

    Files do not look at queries: they give the whole list to who asks for an accession that nobody has.
    Raises `ValueError` when nobody answers at all.

    Decision: G243, G266.
    """
    mirror = Mirror(base_url_of(text), new_session())
    try:
        reply = mirror.ask("/registry/mixs", query={"accession": NOBODYS_ACCESSION})
    except Unreachable as silent:
        raise ValueError(f"{mirror.base_url} does not answer: {silent}") from silent
    except Failed:
        return mirror  # it answers, and the cases will say how
    mirror.is_static = reply.status == 200 and b'"checklists"' in reply.body[:200]
    return mirror
