"""Which documents are install profiles that this release can apply."""

import pytest
from seqfacility_instance.install_profiles.errors import ProfileInvalid, SecretMissing, ServiceTooOld
from seqfacility_instance.install_profiles.rules import check_profile

PROFILE: dict[str, object] = {
    "schemaVersion": 1,
    "id": "teaching",
    "name": "Teaching",
    "version": "1.0.0",
    "minServiceVersion": "1.1.9",
    "capabilities": [],
    "requiredSecrets": [],
    "settings": {},
}


@pytest.mark.parametrize("release", ["1.1.9", "1.1.10", "2.0.0"])
def test_a_profile_for_this_release_or_an_older_one_is_fine(release: str) -> None:
    check_profile(PROFILE, release)


@pytest.mark.parametrize("release", ["1.1.8", "1.0.99", "1.1.9-rc.1"])
def test_a_profile_for_a_later_release_is_refused(release: str) -> None:
    with pytest.raises(ServiceTooOld, match=r"1\.1\.9"):
        check_profile(PROFILE, release)


def test_a_later_form_of_the_document_is_told_by_its_release() -> None:
    with pytest.raises(ServiceTooOld):
        check_profile({"schemaVersion": 2, "minServiceVersion": "9.0.0", "odd": True}, "1.0.0")


@pytest.mark.parametrize(
    "change", [{"schemaVersion": 2}, {"settings": {"telemetry": {}}}, {"extra": 1}, {"id": "No Id"}]
)
def test_another_document_is_refused_with_its_problems(change: dict[str, object]) -> None:
    with pytest.raises(ProfileInvalid) as refused:
        check_profile({**PROFILE, **change}, "2.0.0")

    assert refused.value.details


@pytest.mark.parametrize("settings", [{}, {"execution": {}}])
def test_a_secret_that_was_not_filled_in_is_named(settings: dict[str, object]) -> None:
    secrets = [{"name": "weblog", "path": "settings.execution.weblogSecret"}]

    with pytest.raises(SecretMissing, match=r"settings\.execution\.weblogSecret"):
        check_profile({**PROFILE, "requiredSecrets": secrets, "settings": settings}, "2.0.0")


def test_a_secret_that_is_there_is_enough() -> None:
    secrets = [{"name": "weblog", "path": "settings.execution.weblogSecret"}]
    settings = {"execution": {"weblogSecret": "long enough"}}

    check_profile({**PROFILE, "requiredSecrets": secrets, "settings": settings}, "2.0.0")
