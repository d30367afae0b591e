"""Pure decisions on names of documents and on signed metadata."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from seqfacility_pipeline_package.trust_files import IMAGES, ISSUED
from tuf.api.metadata import Metadata, Root, Targets, Timestamp

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.registry import SignatureState

_DOCUMENT: Final = re.compile(r"[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*")


@dataclass(frozen=True, slots=True)
class SignedRole:
    """Who signed the metadata of one role, and until when it counts."""

    name: str
    version: int
    expires: datetime
    threshold: int
    signed_by: tuple[str, ...]
    documents: int | None
    """How many documents it vouches for; None for a role that vouches for other roles alone."""


def base_address(url: str, configured: str) -> str | None:
    """Return the address of the registry, ending in `/api`, that a URL lies at; None when it lies at none.

    Decision: G916.
    """
    if url.startswith(f"{configured}/"):
        return configured
    before, found, _ = url.rpartition("/api/")
    return f"{before}/api" if found else None


def document_name(url: str, base: str) -> str | None:
    """Return under which name the document of a URL is signed: its path below the registry's address.

    Images lie beside it, at `/images` of the same host. None for what no name can be of.

    Decision: G916.
    """
    if url.startswith(f"{base}/"):
        name = unquote(url.removeprefix(f"{base}/"))
    else:
        here, there = urlsplit(base), urlsplit(url)
        if here[:2] != there[:2] or not there.path.startswith(f"/{IMAGES}") or there.query:
            return None
        name = unquote(there.path.removeprefix("/"))
    return name if _DOCUMENT.fullmatch(name) and ".." not in name else None


def issue_time(timestamp: bytes) -> datetime | None:
    """Read when timestamp metadata was signed; None when it does not say. Decision: G918."""
    issued = Metadata[Timestamp].from_bytes(timestamp).signed.unrecognized_fields.get(ISSUED)
    try:
        said = datetime.fromisoformat(issued) if isinstance(issued, str) else None
        return None if said is None else said.replace(tzinfo=said.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def first_expired(files: Mapping[str, bytes], now: datetime) -> datetime | None:
    """Return when the first of these metadata files that are over has ended; None when none is."""
    for content in files.values():
        signed = Metadata.from_bytes(content).signed
        if signed.is_expired(now):
            return signed.expires
    return None


def signature_state(role: str, expires: datetime, now: datetime) -> SignatureState:
    """Say whether the metadata of a role still counts, and whether its end is near.

    Decision: G981.
    """
    if now >= expires:
        return SignatureState.EXPIRED
    soon = {"root": limits.TRUST_ROOT_ENDING, "timestamp": limits.TRUST_TIMESTAMP_ENDING}
    is_near = now >= expires - soon.get(role, limits.TRUST_RELEASE_ENDING)
    return SignatureState.ENDING if is_near else SignatureState.VALID


def signed_roles(metadata: Mapping[str, str]) -> list[SignedRole]:
    """Say of verified metadata who signed which role. Decision: G921."""
    files = {name: Metadata[Any].from_bytes(text.encode()) for name, text in metadata.items()}
    root = files["root"].signed
    assert isinstance(root, Root)
    targets = files["targets"].signed if "targets" in files else None
    shown = []
    for name, file in files.items():
        delegator: Root | Targets = root
        if name not in root.roles:
            if not isinstance(targets, Targets) or not _delegates(targets, name):
                continue
            delegator = targets
        result = delegator.get_verification_result(name, file.signed_bytes, file.signatures)
        signed = file.signed
        shown.append(
            SignedRole(
                name,
                signed.version,
                signed.expires,
                result.threshold,
                tuple(sorted(result.signed)),
                len(signed.targets) if isinstance(signed, Targets) else None,
            )
        )
    return shown


def publishers(metadata: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the keys of each publisher that the release lists, whether or not anything of it was read.

    Decision: G980.
    """
    targets = (
        Metadata[Targets].from_bytes(metadata["targets"].encode()).signed if "targets" in metadata else None
    )
    if targets is None or targets.delegations is None:
        return {}
    return {name: tuple(sorted(role.keyids)) for name, role in (targets.delegations.roles or {}).items()}


def expiry_warnings(roles: Sequence[SignedRole], now: datetime) -> list[str]:
    """Say of each role that ends soon when it does. Decision: G972."""
    ends = {SignatureState.ENDING: "ends", SignatureState.EXPIRED: "ended"}
    return [
        f"The registry's {role.name} {ends[state]} on {role.expires:%Y-%m-%d}"
        for role in roles
        if (state := signature_state(role.name, role.expires, now)) in ends
    ]


def _delegates(targets: Targets, name: str) -> bool:
    """Return whether a publisher whose metadata was seen once is still one."""
    return targets.delegations is not None and name in (targets.delegations.roles or {})


def with_secrets_of(signed: Mapping[str, object], resolved: Mapping[str, object]) -> dict[str, object]:
    """Put the secrets of a resolved profile at the places that the signed one declares, and nothing else.

    Decision: G919.
    """
    declared = signed.get("requiredSecrets")
    entries = declared if isinstance(declared, list) else []
    paths = [str(entry.get("path")) for entry in entries if isinstance(entry, dict)]
    document = dict(signed)
    for path in paths:
        document = _with_value_of(document, resolved, path.split("."))
    return document


def _with_value_of(
    document: Mapping[str, object], source: Mapping[str, object], path: list[str]
) -> dict[str, object]:
    first, *rest = path
    if first not in source:
        return dict(document)
    if not rest:
        return {**document, first: source[first]}
    inner, there = document.get(first, {}), source[first]
    if not isinstance(inner, dict) or not isinstance(there, dict):
        return dict(document)
    return {**document, first: _with_value_of(inner, there, rest)}
