"""The audit trail: one append-only row for every security-relevant act, chained to the one before."""

import secrets
from datetime import datetime
from typing import Final

from peewee import SqliteDatabase

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.core.audit_digests import (
    NOTHING_BEFORE,
    chain_hash,
    content_digest,
    salted_digest,
    without_personal,
)
from seqfacility_instance.core.ids import epoch_milliseconds, new_id
from seqfacility_instance.core.json_text import compact_json
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import AuditEvent

_SALT_BYTES: Final = 16
_LAST: Final = f"""SELECT sequence, hash FROM audit_events AS newest
    WHERE sequence < {(1 << 63) - 1}
        AND NOT EXISTS (SELECT 1 FROM audit_events WHERE sequence = newest.sequence + 1)
    ORDER BY sequence DESC LIMIT 1"""  # noqa: S608  # a number of ours
"""The newest row behind which a number is free, as triggers look for it. Decision: G871."""


def record(
    caller: SignedIn | None,
    action: AuditAction,
    object_type: str,
    object_id: str | None,
    now: datetime,
    **detail: object,
) -> None:
    """Write what `caller` did, None for a command; stands inside the transaction that does it.

    `detail` never holds a password, a token or a code; it names the id of the token that was used.

    Decision: G22.
    """
    actor_id, address = (None, None) if caller is None else (caller.user_id, caller.address)
    if caller is not None and caller.token_id is not None:
        detail["token"] = caller.token_id
    write(actor_id, address, action, object_type, object_id, now, detail)


def write(
    actor_id: str | None,
    address: str | None,
    action: AuditAction,
    object_type: str,
    object_id: str | None,
    now: datetime,
    detail: dict[str, object],
) -> None:
    """Write an act whose actor has no session: a sign-in, a command, a background job.

    On SQLite the row is chained here, as its transaction is alone; on PostgreSQL by a trigger at the commit,
    so that nobody who still works waits for somebody else's audit row.

    Decision: G22, G860, G861.
    """
    stays, personal = without_personal(detail)
    words_salt, words_digest = _committed(compact_json(personal) if personal else None)
    address_salt, address_digest = _committed(address)
    columns: dict[str, object] = {
        "id": new_id(),
        "at": now,
        "actor_id": actor_id,
        "action": str(action),
        "object_type": object_type,
        "object_id": object_id,
        "detail": stays,
        "personal": personal or None,
        "personal_salt": words_salt,
        "personal_digest": words_digest,
        "address": address,
        "address_salt": address_salt,
        "address_digest": address_digest,
    }
    digest = content_digest(
        columns["id"],
        epoch_milliseconds(now),
        actor_id,
        columns["action"],
        object_type,
        object_id,
        compact_json(stays),
        words_digest,
        address_digest,
    )
    if not isinstance(database.obj, SqliteDatabase):
        AuditEvent.insert({**columns, "digest": digest}).execute()
        return
    with database.atomic():
        last = database.execute_sql(_LAST).fetchone()
        sequence, before = (last[0] + 1, last[1]) if last else (1, NOTHING_BEFORE)
        chained = {"sequence": sequence, "hash": chain_hash(before, sequence, digest)}
        AuditEvent.insert({**columns, "digest": digest, **chained}).execute()


def _committed(text: str | None) -> tuple[str | None, str | None]:
    """Return a new salt and the digest of a text with it; nothing of nothing."""
    if text is None:
        return None, None
    salt = secrets.token_hex(_SALT_BYTES)
    return salt, salted_digest(salt, text)
