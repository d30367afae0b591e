"""What a person is given of the database: every table that names people is decided on, and nothing secret."""

import re

from peewee import ForeignKeyField
from seqfacility_instance.personal_data.named_rows import IDS, WITHHELD, people_columns
from seqfacility_instance.tables.all_tables import ALL_TABLES

SOUNDS_SECRET = re.compile(
    r"hash|digest|salt|secret|token|password|ciphertext|recovery|_key$|^code_(?!ending)"
)
NO_SECRETS = {"must_change_password", "target_key"}


def test_every_table_with_a_column_for_a_user_is_declared() -> None:
    naming = {table.__name__ for table in ALL_TABLES if people_columns(table)}

    assert naming == {table.__name__ for table in WITHHELD}


def test_every_id_of_a_user_that_is_no_reference_is_declared() -> None:
    """Counts and hints hold ids of owners, too: they say nothing of a person and go with what they count."""
    sounding = re.compile(r"^(actor|owner|user|sender|reader)_id$|_by_id$")
    named = {
        table.__name__
        for table in ALL_TABLES
        for field in table._meta.sorted_fields
        if not isinstance(field, ForeignKeyField) and sounding.search(field.name)
    }

    assert named - {"LiveChange", "MessageCount"} == {table.__name__ for table in IDS} - {"User"}


def test_no_column_that_sounds_secret_is_exported() -> None:
    exported = [
        f"{table.__name__}.{field.name}"
        for table, withheld in WITHHELD.items()
        for field in table._meta.sorted_fields
        if SOUNDS_SECRET.search(field.name) and field.name not in withheld | NO_SECRETS
    ]

    assert exported == []


def test_what_is_withheld_exists() -> None:
    for table, withheld in WITHHELD.items():
        assert withheld <= set(table._meta.fields), table
