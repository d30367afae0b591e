"""What a provider says of itself: its metadata and its keys, remembered for a while.

Decision: G826.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import BoundedSemaphore, Lock
from typing import Any, Final

from joserfc.errors import JoseError
from joserfc.jwk import JWKRegistry, Key

from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.oidc.errors import Reason, SignInRefused
from seqfacility_instance.oidc.provider_http import fetch_object
from seqfacility_instance.oidc.rules import is_endpoint, offered_algorithms
from seqfacility_instance.registry_client.reach import Reach

_ENDPOINTS: Final = ("authorization_endpoint", "token_endpoint", "jwks_uri")
_KEY_TYPES: Final = frozenset({"RSA", "EC", "OKP"})


@dataclass(slots=True)
class _Document:
    """One document of a provider, as it was fetched last; who needs it anew takes `refresh`."""

    refresh: Lock = field(default_factory=Lock)
    content: Any = None
    fetched_at: datetime | None = None
    tried_at: datetime | None = None
    failure: SignInRefused | None = None


@dataclass(slots=True)
class _Known:
    """What is known of one provider."""

    turns: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(limits.OIDC_AT_ONCE))
    metadata: _Document = field(default_factory=_Document)
    keys: _Document = field(default_factory=_Document)


@dataclass(frozen=True, slots=True)
class ProviderDocuments:
    """Metadata and keys of all providers; one that is slow or gone is its own trouble only."""

    reach: Reach
    clock: Clock
    _known: dict[str, _Known] = field(default_factory=dict)

    def ask(self, issuer: str, url: str, **request: Any) -> dict[str, object]:
        """Send a request to a provider, as `fetch_object` does, when it is its turn."""
        with self._turn(issuer):
            return self._fetch(issuer, url, **request)

    def metadata(self, issuer: str) -> Mapping[str, Any]:
        """Return the metadata; within a while after a failure nobody asks again. Raises `SignInRefused`."""
        found: Mapping[str, Any] = self._read(
            issuer, self._of(issuer).metadata, lambda: self._fetched_metadata(issuer), lambda _found: True
        )
        return found

    def key(self, issuer: str, header: Mapping[str, Any]) -> Key:
        """Return the key that a token names; an unknown one is looked for again once in a while.

        Raises `SignInRefused`.
        """
        url, kid = self.metadata(issuer)["jwks_uri"], header.get("kid")
        keys = self._read(
            issuer,
            self._of(issuer).keys,
            lambda: _usable(self._fetch(issuer, url)),
            lambda known: _chosen(known, kid) is not None,
        )
        found = _chosen(keys, kid)
        if found is None:
            raise SignInRefused(Reason.INVALID_ANSWER, f"{issuer}: has no key {str(kid)[:64]!r}")
        return found

    def _read(
        self, issuer: str, document: _Document, fetch: Callable[[], Any], is_enough: Callable[[Any], bool]
    ) -> Any:
        """Return a document; one that is old or lacks something is fetched, if that was not tried just now.

        A failure is everybody's for a while. Raises `SignInRefused`.
        """
        now = self.clock.now()
        if _is_within(document.fetched_at, now, limits.OIDC_DOCUMENT_LIFE) and is_enough(document.content):
            return document.content
        with self._turn(issuer), document.refresh:
            if not _is_within(document.tried_at, now, limits.OIDC_REFETCH_AFTER):
                try:
                    document.content, document.fetched_at, document.failure = fetch(), now, None
                except SignInRefused as refused:
                    document.failure = refused
                document.tried_at = now
            if document.failure is not None:
                raise SignInRefused(document.failure.reason, document.failure.note)
            return document.content

    def _fetched_metadata(self, issuer: str) -> Mapping[str, Any]:
        url = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
        document = self._fetch(issuer, url)
        faults = [name for name in _ENDPOINTS if not is_endpoint(document.get(name), issuer)]
        if document.get("issuer") != issuer:
            faults.insert(0, "issuer")
        if not offered_algorithms(document):
            faults.append("id_token_signing_alg_values_supported")
        if faults:
            raise SignInRefused(Reason.PROVIDER_UNREACHABLE, f"{url}: not usable: {', '.join(faults)}")
        return document

    def _fetch(self, issuer: str, url: str, **request: Any) -> dict[str, object]:
        """Send a request; in a private network it may lead to the host that an admin named."""
        return fetch_object(url, self.reach.including(issuer), **request)

    @contextmanager
    def _turn(self, issuer: str) -> Iterator[None]:
        """Be one of the few requests that ask this provider; raises `SignInRefused` when there are enough."""
        turns = self._of(issuer).turns
        if not turns.acquire(timeout=limits.OIDC_TURN_SECONDS):
            raise SignInRefused(
                Reason.PROVIDER_UNREACHABLE, f"{issuer}: too many requests wait for its answers"
            )
        try:
            yield
        finally:
            turns.release()

    def _of(self, issuer: str) -> _Known:
        return self._known.setdefault(issuer, _Known())


def _is_within(at: datetime | None, now: datetime, life: timedelta) -> bool:
    return at is not None and abs(now - at) < life


def _chosen(keys: list[Key], kid: object) -> Key | None:
    """Return the key of that id; without an id the only one."""
    if kid is None:
        return keys[0] if len(keys) == 1 else None
    return next((key for key in keys if key.kid == kid), None)


def _usable(document: Mapping[str, object]) -> list[Key]:
    """Read the keys that signatures are verified with; others are none of our business."""
    keys, listed = [], document.get("keys")
    for one in listed if isinstance(listed, list) else []:
        if not isinstance(one, dict) or one.get("kty") not in _KEY_TYPES or one.get("use", "sig") != "sig":
            continue
        try:
            keys.append(JWKRegistry.import_key(one))
        except (JoseError, ValueError, TypeError, KeyError):
            continue
    return keys
