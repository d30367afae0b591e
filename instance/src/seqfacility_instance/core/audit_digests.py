"""Digests of the audit trail: of no engine, and what names a person can be erased from under them.

Stored rows are verified by these functions, so what they return for given values never changes.

Decision: G860.
"""

import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from typing import Final

from seqfacility_instance.core.json_text import compact_json

NOTHING_BEFORE: Final = "0" * 64
"""The hash before the first row of all."""

_VERSION: Final = 1
_SALT_BYTES: Final = 16
_NAMES_PERSON: Final = re.compile(r"[^\s@]@[^\s@]")


def new_row(
    row_id: str,
    at: int,
    actor_id: str | None,
    action: str,
    object_type: str,
    object_id: str | None,
    *,
    detail: object,
    address: str | None,
) -> dict[str, object]:
    """Return the columns of a new row as they are stored, without its place in the chain.

    `at` is in epoch milliseconds.
    """
    # WHY: rows of an older release are chained whatever their detail is.
    stays, personal = without_personal(detail) if isinstance(detail, Mapping) else (detail, {})
    words = compact_json(personal) if personal else None
    words_salt, words_digest = _committed(words)
    address_salt, address_digest = _committed(address)
    plain = {
        "id": row_id,
        "at": at,
        "actor_id": actor_id,
        "action": action,
        "object_type": object_type,
        "object_id": object_id,
        "detail": compact_json(stays),
    }
    return {
        **plain,
        "personal": words,
        "personal_salt": words_salt,
        "personal_digest": words_digest,
        "address": address,
        "address_salt": address_salt,
        "address_digest": address_digest,
        "digest": content_digest(*plain.values(), words_digest, address_digest),
    }


def salted_digest(salt: object, text: object) -> str:
    """Commit to a text that may be erased later, together with its salt; then nobody can guess it."""
    return _sha256([salt, text])


def content_digest(*columns: object) -> str:
    """Digest the columns of a row as they are stored, in this order; those with a salt by their digests.

    id, at (epoch milliseconds), actor, action, object type, object id, detail (JSON text), digest of the
    personal words, digest of the address.
    """
    return _sha256([_VERSION, *columns])


def chain_hash(before: str, sequence: int, digest: str) -> str:
    """Return the hash of a row; PostgreSQL computes the same by a trigger of migration 0028."""
    return hashlib.sha256(f"{before}\n{sequence}\n{digest}".encode()).hexdigest()


def without_personal(detail: Mapping[str, object]) -> tuple[dict[str, object], dict[str, object]]:
    """Divide `detail` into what stays and what names a person by e-mail; `merged` puts them together.

    What was typed as an e-mail may be anything, a password even.
    """
    stays: dict[str, object] = {}
    personal: dict[str, object] = {}
    for key, value in detail.items():
        if isinstance(value, Mapping):
            inner, inner_personal = without_personal(value)
            stays[key] = inner
            if inner_personal:
                personal[key] = inner_personal
        elif key == "email" or _names_person(value):
            personal[key] = value
        else:
            stays[key] = value
    return stays, personal


def merged(detail: Mapping[str, object], personal: Mapping[str, object] | None) -> dict[str, object]:
    """Return the detail of a row as it was written, or what is left of it."""
    whole = dict(detail)
    for key, value in (personal or {}).items():
        inner = whole.get(key)
        is_divided = isinstance(inner, dict) and isinstance(value, dict)
        whole[key] = merged(inner, value) if is_divided else value  # type: ignore[arg-type]  # both are dicts
    return whole


def _committed(text: str | None) -> tuple[str | None, str | None]:
    """Return a new salt and the digest of a text with it; nothing of nothing."""
    if text is None:
        return None, None
    salt = secrets.token_hex(_SALT_BYTES)
    return salt, salted_digest(salt, text)


def _names_person(value: object) -> bool:
    if isinstance(value, str):
        return _NAMES_PERSON.search(value) is not None
    if isinstance(value, Mapping):
        return any(_names_person(part) for part in (*value, *value.values()))
    return isinstance(value, list | tuple) and any(_names_person(part) for part in value)


def _sha256(values: list[object]) -> str:
    # Escaped, so that text of a damaged file that is no UTF-8 has a digest, too.
    return hashlib.sha256(json.dumps(values, separators=(",", ":")).encode("ascii")).hexdigest()
