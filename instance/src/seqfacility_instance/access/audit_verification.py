"""Verifying the chain of the audit trail: row by row, with bounded memory, from any row on."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, Final

from seqfacility_instance.access.audit_chain import Head, count_erased, find_anchor, find_first, find_head
from seqfacility_instance.core.audit_digests import (
    NOTHING_BEFORE,
    chain_hash,
    content_digest,
    salted_digest,
)
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.damaged import read_damaged
from seqfacility_instance.tables.people import AuditCheck, AuditEvent

_ONLY_CHECK: Final = "whole-trail"
_BATCH_ROWS: Final = 1000
_COLUMNS: Final = (
    "sequence, id, hash, digest, at, actor_id, action, object_type, object_id, detail,"
    " personal, personal_salt, personal_digest, address, address_salt, address_digest"
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found: how many rows are intact up to which one, and which is the first that is not."""

    rows: int
    head: Head | None
    first_broken: str | None = None
    problem: str | None = None

    @property
    def is_intact(self) -> bool:
        """Whether nothing is wrong with the rows that were looked at."""
        return self.problem is None

    @property
    def finding(self) -> str:
        """What is wrong, with the first broken row where there is one."""
        return f"{self.problem}" if self.first_broken is None else f"{self.first_broken}: {self.problem}"


def verify(after: Head | None = None, max_rows: int | None = None) -> Verdict:
    """Verify the rows after a verified one, or all; at most `max_rows`.

    Nobody is kept from writing meanwhile, so what is written later is not looked at. Where all are verified,
    no more addresses and words may be erased than is noted.

    Decision: G864, G873.
    """
    end = find_head()
    verified, last = 0, after
    for row in islice(_rows(after, end), max_rows):
        problem = _problem(row, last)
        if problem is not None:
            return Verdict(verified, last, ascii(row[1]).strip("'"), problem)
        verified, last = verified + 1, Head(row[0], row[2])
    if max_rows is None or verified < max_rows:
        loose = database.execute_sql("SELECT id FROM audit_events WHERE sequence IS NULL LIMIT 1").fetchone()
        if loose is not None:
            return Verdict(verified, last, loose[0], "it is in no place of the chain")
    if after is None and max_rows is None:
        erased, noted = count_erased()
        if erased > noted:
            return Verdict(
                verified, last, None, f"{erased} addresses and words are erased, and {noted} noted"
            )
    return Verdict(verified, last)


def check_kept(heads: Iterable[Head]) -> Verdict:
    """Hold the trail against heads that were kept elsewhere; those of pruned rows are passed over.

    Decision: G865.
    """
    first, end = find_first(), find_head()
    checked = 0
    for kept in heads:
        if first is not None and kept.sequence < first.sequence:
            continue
        row = (
            AuditEvent.select(AuditEvent.id, AuditEvent.hash)
            .where(AuditEvent.sequence == kept.sequence)
            .first()
        )
        if row is None:
            ends = 0 if end is None else end.sequence
            problem = (
                f"rows are missing: the trail ends at row {ends}, and row {kept.sequence} was noted elsewhere"
            )
            return Verdict(checked, end, None, problem)
        if row.hash != kept.hash:
            problem = f"row {kept.sequence} is not the one that was noted elsewhere"
            return Verdict(checked, end, row.id, problem)
        checked += 1
    return Verdict(checked, end)


def find_check() -> AuditCheck | None:
    """Return what the last verification of the whole trail has found; None before the first one."""
    return AuditCheck.get_or_none()


def save_check(verdict: Verdict, now: datetime) -> None:
    """Store how a verification of the whole trail has ended, for every process to see. Decision: G864."""
    found: dict[str, object] = {"first_broken": verdict.first_broken}
    if verdict.is_intact:
        found["completed_at"] = now
    AuditCheck.insert({"id": _ONLY_CHECK, **found}).on_conflict(
        conflict_target=[AuditCheck.id], update=found
    ).execute()


def _rows(after: Head | None, end: Head | None) -> Iterator[tuple[Any, ...]]:
    """Read rows in their order with constant memory; those of one number, which only a forger makes, too."""
    mark = database.param
    place: tuple[object, ...] = () if after is None else (after.sequence,)
    since = f"AND sequence > {mark}" if place else ""
    while end is not None:
        batch = read_damaged(
            f"SELECT {_COLUMNS} FROM audit_events WHERE sequence IS NOT NULL {since}"  # noqa: S608  # names of ours
            f" ORDER BY sequence, id LIMIT {_BATCH_ROWS}",
            place,
        )
        for row in batch:
            if isinstance(row[0], int) and row[0] > end.sequence:
                return
            yield row
        if len(batch) < _BATCH_ROWS:
            return
        since = f"AND sequence >= {mark} AND (sequence, id) > ({mark}, {mark})"
        place = (batch[-1][0], batch[-1][0], batch[-1][1])


def _problem(row: tuple[Any, ...], last: Head | None) -> str | None:
    """Say what is wrong with the row that should follow `last`, or be the first; None if it is intact."""
    sequence, row_id, row_hash, digest, *content = row
    *plain, personal, personal_salt, personal_digest, address, address_salt, address_digest = content
    try:
        before = _hash_before(sequence, last)
        if before is None:
            return "rows before it are missing, or it does not belong here"
        for text, salt, committed in (
            (personal, personal_salt, personal_digest),
            (address, address_salt, address_digest),
        ):
            if not _is_committed(text, salt, committed):
                return "its content was changed"
        if content_digest(row_id, *plain, personal_digest, address_digest) != digest:
            return "its content was changed"
        if chain_hash(before, sequence, digest) != row_hash:
            return "it does not follow the row before it"
    except (TypeError, ValueError):  # a value of a type that we never write
        return "its content was changed"
    return None


def _hash_before(sequence: int, last: Head | None) -> str | None:
    if last is None and sequence == 1:
        return NOTHING_BEFORE
    if last is not None and sequence == last.sequence + 1:
        return last.hash
    # The rows before it were pruned, also while we read; then it is the first of the trail.
    first = find_first()
    anchor = find_anchor(sequence - 1) if first is not None and first.sequence == sequence else None
    return None if anchor is None else anchor.hash


def _is_committed(text: object, salt: object, committed: object) -> bool:
    """Return whether a text, or that nothing was ever there or all of it was erased, fits its digest."""
    if text is None:
        return salt is None
    return salted_digest(salt, text) == committed
