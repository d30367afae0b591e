"""An empty PostgreSQL database, and a facility filled with one of each and with hostile text."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadSource
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.sequencing import Read
from seqfacility_instance.tables.studies import Study
from seqfacility_testkit import postgresql
from seqfacility_testkit.facility import Facility, open_facility
from seqfacility_testkit.one_of_each import make_one_of_each

HOSTILE = (
    "Ærøskøbing 水 \U0001f9ec e\u0301 \u202eright to left\u202c \ufeff\u2028 \x01\x7f \\N \\. \\ \t\r\n"
    " \"quoted\" 'single' ''; DROP TABLE users; -- %s {0} ${x} $$ \U0010ffff"
)


@pytest.fixture
def empty_postgresql(postgresql_socket: Path) -> Iterator[str]:
    with postgresql.fresh_database(postgresql_socket, f"s_{secrets.token_hex(8)}") as url:
        yield url


@pytest.fixture
def filled(facility_template: Path, tmp_path: Path) -> Iterator[tuple[Facility, dict[str, str]]]:
    """Return a facility on SQLite with one of each; the ids by the names of the URL table."""
    facility = open_facility(facility_template, tmp_path)
    ids = make_one_of_each(facility.researcher_id, facility.admin_id, facility.clock.now())
    order = Order.create(
        order_number="ORD-20310504-9998",
        user=facility.researcher_id,
        form_version=1,
        name=HOSTILE,
        custom_fields={HOSTILE: [HOSTILE, 0.1, 1e300, -(2**53), True, None, {"nul": "\0"}]},
    )
    sample = Sample.create(
        sample_code="S-2-BBBBBB", order=order, sample_alias=HOSTILE, study=Study.get_by_id(ids["study_id"])
    )
    first = Read.create(
        sample=sample, file1="a", data_class=DataClass.RAW, source=ReadSource.LINK, is_active=False,
        size1=2**63 - 1, read_count1=2**53 + 1, avg_quality1=0.1 + 0.2, checksum_verified1=True,
    )  # fmt: skip
    second = Read.create(sample=sample, file1="b", data_class=DataClass.RAW, source=ReadSource.LINK)
    # A row that points at a later one: no order of rows lets every key be there before its reference.
    Read.update(superseded_by=second.id).where(Read.id == first.id).execute()
    yield facility, ids
    facility.close()
