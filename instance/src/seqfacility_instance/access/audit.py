"""The audit trail: one append-only row for every security-relevant act."""

from datetime import datetime

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.tables.people import AuditEvent


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
    """Write an act whose actor has no session: a sign-in, a command, a background job. Decision: G22."""
    AuditEvent.insert(
        at=now,
        actor=actor_id,
        action=action,
        object_type=object_type,
        object_id=object_id,
        detail=detail,
        address=address,
    ).execute()
