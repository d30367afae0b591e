"""What a thief of the database can do with it: nothing."""

from collections.abc import Iterator

from seqfacility_instance.tables.all_tables import ALL_TABLES
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.one_of_each import make_one_of_each

NEW_PASSWORD = "a password of the thief"


def texts_in(facility: Facility) -> Iterator[str]:
    """Return every text of every column of every table, as it is stored."""
    for table in ALL_TABLES:
        name = table._meta.table_name
        for row in facility.services.database.execute_sql(f'SELECT * FROM "{name}"').fetchall():  # noqa: S608
            yield from (value for value in row if isinstance(value, str) and 8 <= len(value) <= 512)


def test_no_stored_text_opens_a_door(facility: Facility) -> None:
    make_one_of_each(facility.researcher_id, facility.admin_id, facility.clock.now())
    facility.admin.post("/api/admin/invites")
    facility.admin.post(f"/api/admin/users/{facility.researcher_id}/reset-link")
    facility.admin.patch("/api/admin/settings/access", {"signInMaxFailures": 1000})
    stolen = sorted(set(texts_in(facility)))
    assert len(stolen) > 50

    for text in stolen:
        if text.isascii() and text.isprintable() and not set(text) & set('";,\\ '):
            assert Client(facility, text).get("/api/modules").status_code == 401, text
        reset = {"token": text, "newPassword": NEW_PASSWORD}
        assert facility.anonymous.post("/api/auth/password-reset", reset).status_code == 400, text
        verified = facility.anonymous.post("/api/invites/verify", {"code": text[:255]})
        assert verified.json == {"valid": False}, text


def test_the_weblog_secret_is_not_in_the_database(facility: Facility) -> None:
    secret = facility.services.facility.execution().weblog_secret

    assert secret
    assert all(secret not in text for text in texts_in(facility))
