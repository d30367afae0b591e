"""What a request is told while the database is out of reach or not there yet."""

from pathlib import Path

import pytest
from peewee import IntegrityError
from seqfacility_instance.runs.store.tasks import TaskReport, save_tasks
from seqfacility_testkit.facility import Facility

from .conftest import Open  # isort: skip

UNREACHABLE = {"error": "The database is not reachable"}


def test_rows_written_at_once_fail_with_the_errors_of_single_statements(facility: Facility) -> None:
    """WHY: only Peewee's errors are answered as a busy, full or unreachable database."""
    report = TaskReport(process="ASSEMBLE", attempt=1, status="running")

    with pytest.raises(IntegrityError), facility.services.database.atomic():
        save_tasks([("no-such-run", report)])


def test_a_database_that_does_not_answer_is_answered_as_not_reachable(
    open_bare: Open, tmp_path: Path
) -> None:
    pytest.importorskip("psycopg")
    _services, client = open_bare(SEQFACILITY_DATABASE_URL=f"postgresql:///none?host={tmp_path}")

    for path in ("/api/site", "/api/health"):
        refused = client.simulate_get(path)
        assert (refused.status_code, refused.json) == (503, UNREACHABLE)
        assert refused.headers["Retry-After"] == "5"


def test_a_state_directory_that_is_not_there_is_answered_as_not_set_up(open_bare: Open, home: Path) -> None:
    _services, client = open_bare()

    for path in ("/api/site", "/api/health"):
        refused = client.simulate_get(path)
        assert (refused.status_code, refused.json) == (503, {"error": "Service is not set up"})
    assert not home.exists()
