"""Whatever is sent as a workbook gets the documented answer and changes nothing."""

import pytest
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.tables.sequencing import SequencingRun
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.hostile_workbooks import HOSTILE
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.workbooks import send_plan


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_workbook_is_refused_in_the_documented_words(facility: Facility, case: str) -> None:
    make, expected = HOSTILE[case]
    order = draft_order(facility)

    answer = send_plan(facility.admin, order.id, make(), apply=True)

    assert (answer.status_code, answer.json) == (400, {"error": expected})
    assert SequencingRun.select().count() == 0
    assert not AuditEvent.select().where(AuditEvent.action == "run-plan-imported").exists()
