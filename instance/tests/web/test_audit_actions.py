"""The actions that the audit's page offers."""

import re
from pathlib import Path

from seqfacility_instance.core.vocabulary.people import AuditAction

PAGE = Path(__file__).parents[2] / "web/src/screens/audit/actions.ts"


def test_each_action_that_is_noted_can_be_chosen_once() -> None:
    _, _, groups = PAGE.read_text().partition("ACTIONS = {")
    offered = re.findall(r'"([a-z-]+)"', groups.partition("} as const")[0])

    assert sorted(offered) == sorted(AuditAction)
