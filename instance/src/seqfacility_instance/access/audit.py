"""The audit trail: one append-only row for every security-relevant act, chained to the one before."""

from datetime import datetime
from typing import Final

from peewee import SqliteDatabase, Table

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.core.audit_digests import NOTHING_BEFORE, chain_hash, new_row
from seqfacility_instance.core.ids import epoch_milliseconds, new_id
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.tables.base import database

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
    at = epoch_milliseconds(now)
    row = new_row(new_id(), at, actor_id, str(action), object_type, object_id, detail=detail, address=address)
    with database.atomic():
        if isinstance(database.obj, SqliteDatabase):
            last = database.execute_sql(_LAST).fetchone()
            sequence, before = (last[0] + 1, last[1]) if last else (1, NOTHING_BEFORE)
            row |= {"sequence": sequence, "hash": chain_hash(before, sequence, str(row["digest"]))}
        # WHY no model: what is stored is what was digested, whatever its fields would make of it.
        Table("audit_events").insert(**row).execute(database)
