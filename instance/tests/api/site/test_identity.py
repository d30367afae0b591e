"""A state directory whose database lies elsewhere: refused until somebody says that it has moved."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from seqfacility_instance.facility_settings.identity_record import find_identity
from seqfacility_instance.site.identity import NotThisFacility
from seqfacility_testkit.facility import Facility


def test_another_state_directory_on_the_same_database_is_refused_until_it_is_claimed(
    facility: Facility, tmp_path: Path
) -> None:
    other, before = tmp_path / "other", find_identity()
    shutil.copytree(facility.home, other)
    assert before is not None
    identity = facility.services.identity
    moved = replace(identity, settings=replace(facility.services.settings, home=other))

    with pytest.raises(NotThisFacility, match="`seqfacility init --claim`"):
        moved.settle()
    assert find_identity() == before
    moved.settle(is_claimed=True)

    assert find_identity() == replace(before, homes=(str(other),))
    assert facility.services.facility.storage().data_base_path == str(other / "data")
