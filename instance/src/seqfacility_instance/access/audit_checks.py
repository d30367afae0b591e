"""The last result of verifying the whole audit trail, for every process to see."""

from datetime import datetime
from typing import Final

from seqfacility_instance.access.audit_verification import Verdict
from seqfacility_instance.core.audit_digests import NOTHING_BEFORE
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import AuditCheck

_ONLY: Final = "whole-trail"


def find_check() -> AuditCheck | None:
    """Return the last result; None before the first round has ended."""
    return AuditCheck.get_or_none(AuditCheck.id == _ONLY)


def save_check(verdict: Verdict, now: datetime) -> None:
    """Store how a whole round ended. Decision: G864."""
    head = verdict.head
    values: dict[str, object] = {
        "verified_sequence": 0 if head is None else head.sequence,
        "verified_hash": NOTHING_BEFORE if head is None else head.hash,
        "first_broken": verdict.first_broken,
    }
    if verdict.is_intact:
        values["completed_at"] = now
    with database.atomic():
        if not AuditCheck.update(values).where(AuditCheck.id == _ONLY).execute():
            AuditCheck.insert({"id": _ONLY, **values}).execute()
