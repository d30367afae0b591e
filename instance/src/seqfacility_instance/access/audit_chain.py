"""The chain of the audit trail: its two ends, and the two changes that leave it whole."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Annotated, Final

from peewee import Expression, SqliteDatabase, chunked
from pydantic import Field

from seqfacility_instance.access import audit
from seqfacility_instance.core.ids import epoch_milliseconds
from seqfacility_instance.core.json_text import parsed_json
from seqfacility_instance.core.mentions import mentions_email
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.tables.base import database, locked
from seqfacility_instance.tables.people import AuditEvent

PRUNED_AT_ONCE: Final = 5000
"""Rows of one transaction, which keeps SQLite's other writers waiting for about a tenth of a second."""

_PRUNED_EVERY: Final = timedelta(days=1)
_BATCH_ROWS: Final = 500
_PERSONAL_TEXTS: Final = f"""SELECT id, personal FROM audit_events
    WHERE personal IS NOT NULL AND id > {{}} ORDER BY id LIMIT {_BATCH_ROWS}"""  # noqa: S608  # a number of ours
# A text, which SQLite lets a forger put there, is more than that.
_MAX_SEQUENCE: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Head:
    """A row of the chain as it is noted elsewhere: who has it finds what was changed or cut off before it."""

    sequence: Annotated[int, Field(gt=0, le=_MAX_SEQUENCE)]
    hash: str


def find_head() -> Head | None:
    """Return the newest row; None while there is none."""
    return _find(f"sequence <= {_MAX_SEQUENCE} ORDER BY sequence DESC")


def find_first() -> Head | None:
    """Return the oldest row that was not pruned."""
    return _find(f"sequence <= {_MAX_SEQUENCE} ORDER BY sequence")


def find_row(sequence: int) -> Head | None:
    """Return the row of a number."""
    return _find(f"sequence = {database.param}", sequence)


def find_anchor(sequence: int) -> Head | None:
    """Return the row of this number as it was when the trail was pruned up to it. Decision: G863."""
    pruned = (AuditEvent.action == AuditAction.AUDIT_PRUNED) & (AuditEvent.object_id == str(sequence))
    row = AuditEvent.select(AuditEvent.detail).where(pruned).order_by(AuditEvent.at.desc()).first()
    kept = None if row is None else row.detail.get("hash")
    return Head(sequence, kept) if isinstance(kept, str) else None


def prune(keep: timedelta, now: datetime) -> int:
    """Remove rows from the oldest end that are older than `keep`, and return how many.

    A row of its own notes the hash of the last one that went; the triggers let no other row go. At most
    `PRUNED_AT_ONCE` rows in one transaction, and none until a day's rows are too old: each time adds a row.
    Nor does any go while somebody else holds one of them: another time is early enough.

    Decision: G863, G872.
    """
    oldest = AuditEvent.select(AuditEvent.at).order_by(AuditEvent.sequence).first()
    if oldest is None or oldest.at > now - keep - _PRUNED_EVERY:
        return 0
    with database.atomic():
        rows = database.execute_sql(
            "SELECT sequence, hash, at FROM audit_events WHERE sequence IS NOT NULL"  # noqa: S608  # a number of ours
            f" ORDER BY sequence LIMIT {PRUNED_AT_ONCE}"
        ).fetchall()
        too_old = epoch_milliseconds(now - keep)
        going = list(takewhile(lambda row: row[2] < too_old, rows))
        if not going:
            return 0
        sequence, row_hash, _at = going[-1]
        is_going = AuditEvent.sequence <= sequence
        # WHY: who erases from them chains a row at the commit, under the lock that is taken below.
        if len(locked(AuditEvent.select(AuditEvent.id).where(is_going), skips_held=True)) < len(going):
            return 0
        act, detail = AuditAction.AUDIT_PRUNED, {"hash": row_hash}
        audit.write(None, None, act, "audit", str(sequence), now, detail)
        if not isinstance(database.obj, SqliteDatabase):
            # WHY: at the commit the rows would be gone that it follows.
            database.execute_sql("SET CONSTRAINTS audit_events_chained IMMEDIATE")
        removed: int = AuditEvent.delete().where(is_going).execute()
    return removed


def erase_personal(user_id: str, emails: Collection[str], now: datetime) -> int:
    """Erase what names a person in the trail, and return how many addresses and words; the chain stays whole.

    What names the person is the address of each act of the account, the words of every row in which one of
    `emails` stands, and the address of such a row when nobody was signed in. The opaque id of the account
    stays, and free text without an e-mail. Runs in the caller's transaction, or in one of its own. A row of
    its own notes how many there were: more that are erased were so by somebody else.

    Decision: G862, G873.
    """
    with database.atomic():
        nobodys = AuditEvent.actor_id.is_null()
        erased = _erase_addresses(
            (AuditEvent.actor_id == user_id) | ((AuditEvent.object_id == user_id) & nobodys)
        )
        for named in chunked(rows_that_name(emails), _BATCH_ROWS):
            chosen = AuditEvent.id.in_(named)
            erased += _erase_addresses(chosen & nobodys)
            words = AuditEvent.update(personal=None, personal_salt=None)
            erased += int(words.where(chosen & AuditEvent.personal.is_null(False)).execute())
        act = AuditAction.PERSONAL_WORDS_ERASED
        audit.write(None, None, act, "user", user_id, now, {"erased": erased})
    return erased


def rows_that_name(emails: Collection[str]) -> list[str]:
    """Return the ids of the rows in whose words one of some e-mails stands as a whole."""
    return [row_id for row_id, text in _personal_texts() if mentions_email(parsed_json(text), emails)]


def count_erased() -> tuple[int, int]:
    """Return how many addresses and words of rows are erased, and how many `erase_personal` has noted.

    Pruning takes noted ones before the row that notes them, so there are never more than that.

    Decision: G873.
    """
    # One statement: all is of the same moment.
    rows = database.execute_sql(
        "SELECT COALESCE(SUM(CASE WHEN address IS NULL AND address_digest IS NOT NULL THEN 1 ELSE 0 END"  # noqa: S608  # a word of ours
        " + CASE WHEN personal IS NULL AND personal_digest IS NOT NULL THEN 1 ELSE 0 END), 0), NULL"
        " FROM audit_events UNION ALL"
        f" SELECT 0, detail FROM audit_events WHERE action = '{AuditAction.PERSONAL_WORDS_ERASED}'"
    ).fetchall()
    return sum(int(erased) for erased, _ in rows), sum(
        _noted(detail) for _, detail in rows if detail is not None
    )


def _noted(detail: str) -> int:
    try:
        note = parsed_json(detail)
    except ValueError:
        return 0
    number = note.get("erased") if isinstance(note, dict) else None
    return number if isinstance(number, int) and number > 0 else 0


def _erase_addresses(chosen: Expression) -> int:
    erasing = AuditEvent.update(address=None, address_salt=None)
    return int(erasing.where(chosen & AuditEvent.address.is_null(False)).execute())


def _find(condition: str, *values: object) -> Head | None:
    row = database.execute_sql(
        f"SELECT sequence, hash FROM audit_events WHERE {condition} LIMIT 1",  # noqa: S608  # words of ours
        values,
    ).fetchone()
    return None if row is None else Head(*row)


def _personal_texts() -> Iterator[tuple[str, str]]:
    last = ""
    while batch := database.execute_sql(_PERSONAL_TEXTS.format(database.param), (last,)).fetchall():
        yield from batch
        last = batch[-1][0]
