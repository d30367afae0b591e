"""Which documents are install profiles that this release can apply."""

import pytest
from seqfacility_instance.install_profiles.errors import (
    CodeInClear,
    CommandInProfile,
    ProfileInvalid,
    SecretMissing,
    ServiceTooOld,
)
from seqfacility_instance.install_profiles.rules import changes, check_code_is_safe, check_profile

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


@pytest.mark.parametrize("key", ["nextflowCommand", "snakemakeCommand"])
def test_a_profile_that_says_which_program_runs_is_refused_in_words(key: str) -> None:
    settings = {"execution": {key: "/srv/other.sh"}}

    with pytest.raises(CommandInProfile) as refused:
        check_profile({**PROFILE, "settings": settings}, "2.0.0")

    assert refused.value.text.startswith(f"The profile sets execution.{key}; ")


@pytest.mark.parametrize(
    "url",
    [
        "https://r.example/x",
        "http://127.0.0.1:8090/x",
        "http://localhost/x",
        "http://[::1]:1/x",
        "HTTPS://r.example/",
    ],
)
def test_a_code_goes_out_with_tls_or_stays_on_this_machine(url: str) -> None:
    check_code_is_safe(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://r.example/x",
        "HTTP://r.example/x",
        "http://10.0.0.1/",
        "http://localhost.example/",
        "http://127.0.0.1.example/",
    ],
)
def test_a_code_is_not_sent_where_others_could_read_it(url: str) -> None:
    with pytest.raises(CodeInClear, match="--insecure"):
        check_code_is_safe(url)


def test_what_a_profile_sets_is_said_line_by_line_and_no_secret() -> None:
    profile = {
        **PROFILE,
        "requiredSecrets": [{"name": "mail", "path": "settings.access.contactEmail"}],
        "settings": {
            "access": {"siteName": "Kurs \u001b[2J", "contactEmail": "secret@x.example"},
            "execution": {"weblogSecret": "very secret", "slurmCores": 4},
            "storage": {"extraDownloadExtensions": [f".{number}" for number in range(500)]},
        },
        "modules": {"funding-info": True},
        "studyForm": {"fields": [{}, {}], "groups": []},
        "catalog": {"syncUrl": "https://m.example/x"},
        "pipelines": [{"id": "reads-qc", "enabled": False}],
    }

    lines = changes(profile)

    assert lines[0] == 'access.siteName = "Kurs \\u001b[2J"'
    assert lines[1:4] == [
        "access.contactEmail = ***",
        "execution.weblogSecret = ***",
        "execution.slurmCores = 4",
    ]
    assert len(lines[4]) < 400
    assert lines[5:] == [
        "modules.funding-info = true",
        "studyForm = 2 fields",
        'catalog.syncUrl = "https://m.example/x"',
        'pipelines.reads-qc = {"enabled": false}',
    ]


def test_a_profile_that_sets_nothing_says_nothing() -> None:
    assert changes(PROFILE) == []
