"""Settings are read anew only after a save, and yet every save works at the next request everywhere."""

from dataclasses import replace

from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.tables.base import database
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.queries import counted_queries


def other_process(facility: Facility) -> FacilitySettings:
    return FacilitySettings(facility.services.facility.secrets, facility.services.facility.reserved)


def test_an_unchanged_section_costs_one_small_statement(facility: Facility) -> None:
    settings = facility.services.facility
    before = settings.uploads()

    with counted_queries() as statements:
        after = settings.uploads()

    assert after == before
    assert len(statements) == 1
    assert "extra_settings" not in statements[0]


def test_what_another_process_saves_holds_at_the_next_reading(facility: Facility) -> None:
    settings = facility.services.facility
    assert settings.uploads().session_ttl_hours == 168

    for hours in (1, 2, 3):
        other_process(facility).change("uploads", {"sessionTtlHours": hours}, facility.clock.now())
        assert settings.uploads().session_ttl_hours == hours


def test_saves_within_one_millisecond_are_told_apart(facility: Facility) -> None:
    settings, now = facility.services.facility, facility.clock.now()
    seen = []
    for hours in (5, 6):
        other_process(facility).change("uploads", {"sessionTtlHours": hours}, now)
        seen.append(settings.uploads().session_ttl_hours)

    assert seen == [5, 6]


def test_a_save_that_is_taken_back_is_never_remembered(facility: Facility) -> None:
    settings, now = facility.services.facility, facility.clock.now()
    with database.atomic() as save:
        settings.change("uploads", {"sessionTtlHours": 9}, now)
        assert settings.uploads().session_ttl_hours == 9
        save.rollback()
    assert settings.uploads().session_ttl_hours == 168

    # Somebody else's save gets the same version at the same moment.
    other_process(facility).change("uploads", {"sessionTtlHours": 4}, now)

    assert settings.uploads().session_ttl_hours == 4


def test_modules_are_remembered_alike(facility: Facility) -> None:
    settings = facility.services.facility
    modules = settings.modules()
    name, is_on = next(iter(modules.stored.items()))

    other_process(facility).change_modules({name: not is_on}, None, facility.clock.now())

    assert settings.modules() == replace(modules, stored={**modules.stored, name: not is_on})
