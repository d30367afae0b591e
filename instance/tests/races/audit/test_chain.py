"""The chain of the audit trail: what changes it without leave is refused, or found when it could not be."""

from datetime import timedelta

import pytest
from peewee import Database, PeeweeException, SqliteDatabase
from seqfacility_instance.access import audit
from seqfacility_instance.access.audit_chain import Head, count_erased, erase_personal, find_head, prune
from seqfacility_instance.access.audit_verification import check_kept, verify
from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.tables.people import AuditEvent

from .conftest import unprotect, unprotected, write

FORGED: dict[str, object] = {
    "id": "forged",
    "at": 1,
    "actor_id": "somebody",
    "action": "sign-out",
    "object_type": "order",
    "object_id": None,
    "detail": "{}",
    "personal": '{"email":"other@example.org"}',
    "personal_salt": "00",
    "personal_digest": "00",
    "address": "198.51.100.1",
    "address_salt": "00",
    "address_digest": None,
    "digest": "00",
    "sequence": 77,
    "hash": "00",
}
REFUSED = "rows of the audit trail are never changed"


def ids() -> list[str]:
    return [row.id for row in AuditEvent.select().order_by(AuditEvent.sequence)]


def test_rows_are_numbered_and_intact(trail: Database) -> None:
    verdict = verify()

    assert verdict.is_intact
    assert verdict.rows == 8
    assert verdict.head == find_head()
    assert [row.sequence for row in AuditEvent.select().order_by(AuditEvent.at, AuditEvent.id)] == [
        *range(1, 9)
    ]


def test_every_column_has_a_forgery() -> None:
    assert FORGED.keys() == {field.column_name for field in AuditEvent._meta.sorted_fields}


@pytest.mark.parametrize("column", FORGED)
def test_a_changed_column_is_found(forger: Database, column: str) -> None:
    row = ids()[3]
    forger.execute_sql(
        f"UPDATE audit_events SET {column} = {forger.param} WHERE id = {forger.param}",  # noqa: S608  # our own columns
        (FORGED[column], row),
    )

    broken = verify().first_broken

    # A row that went to another place leaves a gap before the next one.
    assert broken == {"id": "forged", "sequence": ids()[3]}.get(column, row)


@pytest.mark.parametrize("column", ["address", "personal"])
def test_text_erased_without_its_salt_is_found(forger: Database, column: str) -> None:
    row = ids()[3]
    forger.execute_sql(f"UPDATE audit_events SET {column} = NULL WHERE sequence = 4")  # noqa: S608  # the same

    assert verify().first_broken == row


@pytest.mark.parametrize("number", [1, 4])
def test_a_deleted_row_is_found(forger: Database, number: int) -> None:
    after = ids()[number]
    forger.execute_sql(f"DELETE FROM audit_events WHERE sequence = {number}")  # noqa: S608  # a number

    assert verify().first_broken == after


def test_a_deleted_row_whose_gap_was_closed_is_found(forger: Database) -> None:
    after = ids()[4]
    forger.execute_sql("DELETE FROM audit_events WHERE sequence = 4")
    for number in range(5, 9):
        forger.execute_sql(f"UPDATE audit_events SET sequence = sequence - 1 WHERE sequence = {number}")  # noqa: S608

    assert verify().first_broken == after


@pytest.mark.parametrize("sequence", ["NULL", "0", "4"])
def test_an_inserted_row_is_found(forger: Database, sequence: str) -> None:
    forger.execute_sql("DROP INDEX audit_events_sequence")
    forger.execute_sql(
        "INSERT INTO audit_events (id, at, action, object_type, detail, digest, hash, sequence)"  # noqa: S608  # numbers
        f" SELECT 'zzz', at, action, object_type, detail, digest, hash, {sequence} FROM audit_events"
        " WHERE sequence = 4"
    )

    assert verify().first_broken == "zzz"


def test_two_rows_that_changed_places_are_found(forger: Database) -> None:
    rows = ids()
    for old, new in ((3, 90), (4, 3), (90, 4)):
        forger.execute_sql(f"UPDATE audit_events SET sequence = {new} WHERE sequence = {old}")  # noqa: S608  # numbers

    assert verify().first_broken == rows[3]


def test_rows_cut_off_at_the_end_are_found_by_a_head_that_was_kept(forger: Database) -> None:
    kept = find_head()
    assert kept is not None
    forger.execute_sql("DELETE FROM audit_events WHERE sequence > 6")

    assert verify().is_intact
    assert "ends at row 6, and row 8 was noted" in str(check_kept([kept]).problem)


def test_a_chain_that_was_computed_anew_is_found_by_a_head_that_was_kept(trail: Database) -> None:
    kept = [head for head in (find_head(),) if head]
    unprotect(trail)
    trail.execute_sql("DELETE FROM audit_events WHERE sequence > 6")
    if not isinstance(trail, SqliteDatabase):
        trail.execute_sql("ALTER TABLE audit_events ENABLE TRIGGER USER")
    for number in (70, 80, 90):
        write(number)

    assert verify().is_intact
    assert check_kept(kept).first_broken == ids()[7]
    assert check_kept([Head(6, verify(max_rows=6).head.hash)]).is_intact  # type: ignore[union-attr]  # six rows are there


@pytest.mark.parametrize("shared_trail", ["postgresql"], indirect=True)
def test_an_audit_trail_is_verified_from_a_row_under_any_collation(forger: Database) -> None:
    forger.execute_sql('ALTER TABLE audit_events ALTER COLUMN id TYPE varchar(64) COLLATE "und-x-icu"')

    verdict = verify(verify(max_rows=4).head)

    assert (verdict.rows, verdict.problem) == (4, None)


CHANGES = [
    "UPDATE audit_events SET action = 'sign-out'",
    "UPDATE audit_events SET address = '::1'",
    "UPDATE audit_events SET address = NULL",
    "UPDATE audit_events SET sequence = sequence + 100",
    "UPDATE audit_events SET hash = NULL, sequence = NULL",
    "DELETE FROM audit_events",
    "DELETE FROM audit_events WHERE sequence = 1",
    """INSERT INTO audit_events (id, at, action, object_type, detail, digest, sequence, hash)
    VALUES ('zzz', 1, 'a', 'b', '{}', 'd', 100, 'e')""",
]


def test_the_service_itself_cannot_change_a_row(trail: Database) -> None:
    for statement in CHANGES:
        with pytest.raises(PeeweeException, match=REFUSED):
            trail.execute_sql(statement)

    assert verify().rows == 8
    assert verify().is_intact


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
@pytest.mark.parametrize("column", ["id", "sequence", "rowid"])
def test_a_row_is_not_replaced(trail: Database, column: str) -> None:
    names = {"id": "'new'", "sequence": "9", "rowid": "1000"}
    values = ", ".join(column if name == column else value for name, value in names.items())

    with pytest.raises(PeeweeException, match=REFUSED):
        trail.execute_sql(
            f"INSERT OR REPLACE INTO audit_events ({', '.join(names)}, at, action, object_type, detail,"  # noqa: S608
            f" digest, hash) SELECT {values}, at, 'forged', object_type, detail, digest, hash"
            " FROM audit_events WHERE sequence = 3"
        )


@pytest.mark.parametrize("address", ["postgresql"], indirect=True)
def test_the_table_is_not_emptied(trail: Database) -> None:
    with pytest.raises(PeeweeException, match=REFUSED):
        trail.execute_sql("TRUNCATE audit_events")


@pytest.mark.parametrize("shared_trail", ["sqlite"], indirect=True)
def test_a_text_that_is_no_utf_8_names_its_row(forger: Database) -> None:
    row = ids()[4]
    forger.execute_sql("UPDATE audit_events SET detail = CAST(x'ff' AS TEXT) WHERE sequence = 5")

    assert verify().first_broken == row


@pytest.mark.parametrize("shared_trail", ["sqlite"], indirect=True)
@pytest.mark.parametrize("value", ["'text'", "x'00'", "2.5"])
def test_a_number_that_is_none_names_its_row(forger: Database, value: str) -> None:
    row = ids()[7]
    forger.execute_sql(f"UPDATE audit_events SET sequence = {value} WHERE sequence = 8")  # noqa: S608  # values above

    assert verify().first_broken == row


def test_erased_words_leave_the_chain_whole(trail: Database) -> None:
    write(3)

    changed = erase_personal("u3", ["User3@example.org"], system_now())

    rows = {row.sequence: row for row in AuditEvent.select()}
    assert verify().is_intact
    assert changed == 4
    for number in (4, 9):
        row = rows[number]
        assert (row.personal, row.personal_salt, row.address, row.address_salt) == (None, None, None, None)
        assert row.detail == {"number": 3, "Ä": "µ\u2028"}
    assert rows[5].personal == {"email": "user4@example.org"}
    assert rows[5].address == "192.0.2.7"
    assert rows[10].action == "personal-words-erased"


def test_an_email_that_is_a_part_of_another_one_is_not_erased(trail: Database) -> None:
    erase_personal("nobody", ["ser3@example.org", "user3@example.or"], system_now())

    assert AuditEvent.get(AuditEvent.sequence == 4).personal == {"email": "user3@example.org"}


def test_what_is_too_old_goes_and_the_rest_verifies(trail: Database) -> None:
    kept = find_head()
    assert kept is not None
    later = system_now() + timedelta(days=12)

    removed = prune(timedelta(days=10), later)

    assert removed == 8
    (anchor,) = AuditEvent.select()
    assert (anchor.action, anchor.object_id) == ("audit-pruned", "8")
    write(9)
    verdict = verify()
    assert verdict.is_intact
    assert verdict.rows == 2
    assert check_kept([kept]).is_intact
    assert prune(timedelta(days=10), later) == 0


def test_a_pruned_trail_that_lost_one_row_more_is_broken(forger: Database) -> None:
    later = system_now() + timedelta(days=12)
    forger.execute_sql("DELETE FROM audit_events WHERE sequence <= 2")
    rows = ids()

    assert verify().first_broken == rows[0]
    assert prune(timedelta(days=10), later) == 6


@pytest.mark.parametrize("forged", [[(1 << 63) - 1], [(1 << 63) - 2, (1 << 63) - 1], [(1 << 63) - 2]])
def test_a_row_of_the_last_number_is_found_and_keeps_nobody_from_acting(
    trail: Database, forged: list[int]
) -> None:
    with unprotected(trail):
        for sequence in forged:
            trail.execute_sql(
                "INSERT INTO audit_events (id, at, action, object_type, detail, digest, hash, sequence)"  # noqa: S608
                f" SELECT 'forged{sequence}', at, action, object_type, detail, digest, hash, {sequence}"
                " FROM audit_events WHERE sequence = 4"
            )

    for number in range(4):
        write(number)

    assert verify().first_broken == f"forged{forged[0]}"
    assert AuditEvent.select().count() == 8 + len(forged) + 4
    with pytest.raises(PeeweeException, match=REFUSED):
        trail.execute_sql("DELETE FROM audit_events WHERE sequence = 8")


def test_an_older_row_of_pruning_is_not_looked_at(trail: Database) -> None:
    later = system_now() + timedelta(days=12)
    audit.write(None, None, AuditAction.AUDIT_PRUNED, "audit", "no number", system_now(), {})

    assert prune(timedelta(days=10), later) == 9


@pytest.mark.parametrize("column", ["address", "personal"])
def test_text_erased_by_somebody_else_is_found(trail: Database, column: str) -> None:
    erase_personal("u3", ["user3@example.org"], system_now())
    assert verify().is_intact

    trail.execute_sql(f"UPDATE audit_events SET {column} = NULL, {column}_salt = NULL WHERE sequence = 6")  # noqa: S608

    assert verify().problem == "3 addresses and words are erased, and 2 noted"


def test_every_erased_text_is_counted_once_also_after_pruning(trail: Database) -> None:
    audit.write(
        None, "::1", AuditAction.SIGN_IN_FAILED, "user", "u3", system_now(), {"email": "u@example.org"}
    )
    for user, email in (("u3", "user3@example.org"), ("u3", "u@example.org"), ("u4", "user4@example.org")):
        erase_personal(user, [email], system_now())

    assert count_erased() == (6, 6)
    assert prune(timedelta(days=10), system_now() + timedelta(days=12)) == 12
    assert count_erased() == (0, 0)
    assert verify().is_intact
