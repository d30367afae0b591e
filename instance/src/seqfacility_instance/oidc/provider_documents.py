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

    def renew(self, now: datetime, fetch: Callable[[], Any]) -> None:
        """Fetch it; raises `SignInRefused`, as for a while everybody who comes next."""
        self.tried_at, self.failure = now, None
        try:
            self.content = fetch()
        except SignInRefused as refused:
            self.failure = refused
            raise
        self.fetched_at = now

    def is_fresh(self, now: datetime) -> bool:
        return _is_within(self.fetched_at, now, limits.OIDC_DOCUMENT_LIFE)

    def was_tried(self, now: datetime) -> bool:
        return _is_within(self.tried_at, now, limits.OIDC_REFETCH_AFTER)

    def raise_failure(self) -> None:
        if self.failure is not None:
            raise SignInRefused(self.failure.reason, "; ".join(getattr(self.failure, "__notes__", [])))


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
    _lock: Lock = field(default_factory=Lock)

    def reach_of(self, issuer: str) -> Reach:
        """Return where requests for a provider may lead: a private host only if somebody named it."""
        return self.reach.including(issuer)

    @contextmanager
    def turn(self, issuer: str) -> Iterator[None]:
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

    def metadata(self, issuer: str) -> Mapping[str, Any]:
        """Return the metadata; within a while after a failure nobody asks again. Raises `SignInRefused`."""
        known, now = self._of(issuer), self.clock.now()
        document = known.metadata
        if not document.is_fresh(now):
            with self.turn(issuer), document.refresh:
                if not document.is_fresh(now):
                    if document.was_tried(now):
                        document.raise_failure()
                    document.renew(now, lambda: self._fetched_metadata(issuer))
        found: Mapping[str, Any] = document.content
        return found

    def _fetched_metadata(self, issuer: str) -> Mapping[str, Any]:
        url = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
        document = fetch_object(url, self.reach_of(issuer))
        faults = [name for name in _ENDPOINTS if not is_endpoint(document.get(name), issuer)]
        if document.get("issuer") != issuer:
            faults.insert(0, "issuer")
        if not offered_algorithms(document):
            faults.append("id_token_signing_alg_values_supported")
        if faults:
            raise SignInRefused(Reason.PROVIDER_UNREACHABLE, f"{url}: not usable: {', '.join(faults)}")
        return document

    def key(self, issuer: str, header: Mapping[str, Any]) -> Key:
        """Return the key that a token names; an unknown one is looked for again once in a while.

        Raises `SignInRefused`.
        """
        known, now, kid = self._of(issuer), self.clock.now(), header.get("kid")
        document = known.keys
        found = _chosen(document.content, kid) if document.is_fresh(now) else None
        if found is None:
            address = self.metadata(issuer)["jwks_uri"]
            with self.turn(issuer), document.refresh:
                if not document.was_tried(now):
                    document.renew(now, lambda: _usable(fetch_object(address, self.reach_of(issuer))))
                document.raise_failure()
            found = _chosen(document.content, kid) if document.is_fresh(now) else None
        if found is None:
            raise SignInRefused(Reason.INVALID_ANSWER, f"{issuer}: has no key {str(kid)[:64]!r}")
        return found

    def _of(self, issuer: str) -> _Known:
        with self._lock:
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
