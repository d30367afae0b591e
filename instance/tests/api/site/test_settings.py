"""Settings sections: reading, changing, refusing, and what is never shown."""

import sysconfig
from pathlib import Path

import pytest
import seqfacility_instance
from seqfacility_instance.core.vocabulary.pipelines import Backend
from seqfacility_instance.site.identity import MARKER
from seqfacility_instance.tables.site import SiteSecret, SiteSettings
from seqfacility_testkit.facility import Facility
from seqfacility_workflow_runtime.executors.contract import Resources

SETTINGS = "/api/admin/settings"


def test_every_section_has_every_key_with_its_default(facility: Facility) -> None:
    sections = facility.admin.get(SETTINGS).json["sections"]

    assert sections["access"] == {
        "siteName": "SeqFacility",
        "contactEmail": None,
        "postSubmissionInstructions": "",
        "allowRegistration": True,
        "registrationNeedsApproval": True,
        "allowedEmailDomains": [],
        "registrationsPerHour": 200,
        "allowUserAssemblyDownload": False,
        "allowDeleteSubmittedOrders": False,
        "sessionIdleHours": 12,
        "sessionMaxHours": 168,
        "signInMaxFailures": 10,
        "signInWindowMinutes": 15,
        "adminsNeedSecondFactor": False,
    }
    assert sections["storage"] == {
        "dataBasePath": str(facility.data),
        "defaultUploadDataClass": "raw",
        "extraDownloadExtensions": [],
        "minFreeBytes": 1073741824,
        "hardLinkOnPromotion": False,
    }
    assert sections["uploads"] == {
        "allowedReadExtensions": [".fastq.gz", ".fq.gz", ".fastq", ".fq"],
        "maxFileBytes": None,
        "maxChunkBytes": None,
        "recommendedChunkBytes": 16777216,
        "sessionTtlHours": 168,
        "lockWaitSeconds": 20,
        "idleReadSeconds": 15,
        "verifyInBackground": True,
    }
    assert sections["execution"] == {
        "defaultBackend": "local",
        "pipelineOverrides": {},
        "runDirectory": None,
        "databaseDirectory": None,
        "weblogSecretIsSet": True,
        "weblogUrl": None,
        "nextflowCommand": "nextflow",
        "snakemakeCommand": "snakemake",
        "nextflowProfile": "",
        "slurmQueue": "",
        "slurmCores": 4,
        "slurmMemoryGb": 16,
        "slurmTimeHours": 12,
        "slurmOptions": [],
        "outputSettleSeconds": 600,
    }
    assert sections["streamIngest"] == {
        "enabled": True,
        "outputRoot": str(facility.home / "sequencer"),
        "scanIntervalSeconds": 5,
        "stabilitySeconds": 2,
        "useNotifications": True,
        "includeFailed": False,
        "stalledAfterMinutes": 30,
    }
    assert sections["audit"] == {"keepDays": None, "headFile": None, "syslog": None}


def test_a_change_answers_the_bare_section_and_keeps_the_rest(facility: Facility) -> None:
    answer = facility.admin.patch(f"{SETTINGS}/uploads", {"sessionTtlHours": 24})

    assert answer.status_code == 200
    assert answer.json["sessionTtlHours"] == 24
    assert answer.json["lockWaitSeconds"] == 20
    assert facility.admin.get(SETTINGS).json["sections"]["uploads"] == answer.json


def test_a_section_that_was_saved_since_it_was_seen_is_not_changed(facility: Facility) -> None:
    seen = {"If-Match": facility.admin.get(SETTINGS).headers["ETag"]}

    first = facility.admin.patch(f"{SETTINGS}/uploads", {"sessionTtlHours": 24}, headers=seen)
    late = facility.admin.patch(f"{SETTINGS}/uploads", {"sessionTtlHours": 48}, headers=seen)
    elsewhere = facility.admin.patch(f"{SETTINGS}/access", {"siteName": "Core Lab"}, headers=seen)

    assert first.status_code == 200
    assert (late.status_code, late.json) == (409, {"error": "This record was changed by somebody else"})
    assert elsewhere.status_code == 200
    assert facility.admin.get(SETTINGS).json["sections"]["uploads"]["sessionTtlHours"] == 24


@pytest.mark.parametrize("tag", ['"0"', '"999"', f'"{7000 * "9"}"', '"hers"', "W/", '"\u00b2"'])
def test_a_state_that_was_never_given_is_nobody_s_view(facility: Facility, tag: str) -> None:
    facility.admin.patch(f"{SETTINGS}/access", {"siteName": "Core Lab"})

    answer = facility.admin.patch(f"{SETTINGS}/access", {"siteName": "Mine"}, headers={"If-Match": tag})

    assert answer.status_code == 409


@pytest.mark.parametrize("tags", ["*", '"0", {tag}', "W/{tag}"])
def test_any_view_that_is_new_enough_will_do(facility: Facility, tags: str) -> None:
    facility.admin.patch(f"{SETTINGS}/access", {"siteName": "Core Lab"})
    seen = tags.format(tag=facility.admin.get(SETTINGS).headers["ETag"])

    answer = facility.admin.patch(f"{SETTINGS}/access", {"siteName": "Mine"}, headers={"If-Match": seen})

    assert answer.status_code == 200


def test_an_unknown_section_is_not_found(facility: Facility) -> None:
    answer = facility.admin.patch(f"{SETTINGS}/telemetry", {})

    assert (answer.status_code, answer.json) == (404, {"error": "Settings section not found"})


LOST = "because the job could then not be found, awaited or ended"


@pytest.mark.parametrize(
    ("section", "change", "detail"),
    [
        ("access", {"blink": True}, "blink: is not a known key"),
        ("access", {"site_name": "x"}, "site_name: is not a known key"),
        ("access", {"siteName": None}, "siteName: must be a string"),
        ("access", {"sessionIdleHours": 0}, "sessionIdleHours: must be at least 1"),
        ("access", {"sessionIdleHours": 721}, "sessionIdleHours: must be at most 720"),
        ("access", {"sessionIdleHours": 1.5}, "sessionIdleHours: must be an integer"),
        ("access", {"sessionIdleHours": True}, "sessionIdleHours: must be an integer"),
        ("access", {"allowRegistration": 1}, "allowRegistration: must be true or false"),
        ("access", {"allowedEmailDomains": "a.test"}, "allowedEmailDomains: must be an array"),
        ("access", {"allowedEmailDomains": [1]}, "allowedEmailDomains[0]: must be a string"),
        ("storage", {"dataBasePath": "data"}, "dataBasePath: must be an absolute path"),
        ("storage", {"extraDownloadExtensions": ["x"]}, "extraDownloadExtensions[0]: must begin with a dot"),
        ("uploads", {"allowedReadExtensions": []}, "allowedReadExtensions: must have at least 1 entry"),
        ("uploads", {"recommendedChunkBytes": 65535}, "recommendedChunkBytes: must be at least 65536"),
        ("execution", {"weblogSecret": "short"}, "weblogSecret: must have at least 8 characters"),
        ("execution", {"weblogSecret": "x" * 257}, "weblogSecret: must have at most 256 characters"),
        ("execution", {"weblogSecret": []}, "weblogSecret: must be a string"),
        ("execution", {"weblogSecretIsSet": True}, "weblogSecretIsSet: is not a known key"),
        ("execution", {"slurmOptions": ["-p x"]}, "slurmOptions[0]: must begin with --"),
        ("execution", {"slurmOptions": ["--hold", "--uid=0"]}, f"slurmOptions[1]: must not be --uid, {LOST}"),
        ("execution", {"slurmOptions": ["--clusters=x"]}, f"slurmOptions[0]: must not be --clusters, {LOST}"),
        ("execution", {"pipelineOverrides": {"m": {"slurmOptions": ["--job-name=x"]}}},
         "pipelineOverrides.m.slurmOptions[0]: must not be --job-name, which SeqFacility sets for each job"),
        ("execution", {"defaultBackend": "cloud"}, "defaultBackend: must be one of: local, slurm"),
        ("execution", {"pipelineOverrides": {"m": {"x": 2}}}, "pipelineOverrides.m.x: is not a known key"),
        ("streamIngest", {"scanIntervalSeconds": 0.5}, "scanIntervalSeconds: must be at least 1"),
    ],
)  # fmt: skip
def test_a_refused_key_is_named_and_nothing_is_saved(
    facility: Facility, section: str, change: dict[str, object], detail: str
) -> None:
    before = facility.admin.get(SETTINGS).json

    answer = facility.admin.patch(f"{SETTINGS}/{section}", change)

    assert (answer.status_code, answer.json) == (400, {"error": "Validation failed", "details": [detail]})
    assert facility.admin.get(SETTINGS).json == before


def test_options_that_an_older_version_has_stored_are_read_and_refused_at_the_next_change(
    facility: Facility,
) -> None:
    row = SiteSettings.get()
    row.extra_settings = {**row.extra_settings, "execution": {"slurmOptions": ["--clusters=north"]}}
    row.save()

    shown = facility.admin.get(SETTINGS)
    refused = facility.admin.patch(f"{SETTINGS}/execution", {"slurmCores": 2})
    removed = facility.admin.patch(f"{SETTINGS}/execution", {"slurmCores": 2, "slurmOptions": []})

    assert facility.services.facility.execution().slurm_options == []
    assert (shown.status_code, refused.status_code, removed.status_code) == (200, 400, 200)
    assert refused.json["details"] == [f"slurmOptions[0]: must not be --clusters, {LOST}"]


@pytest.fixture
def lost_backend(facility: Facility, monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """What is stored for Grid Engine on a machine that has lost it."""
    monkeypatch.delenv("SGE_ROOT", raising=False)
    stored: dict[str, object] = {
        "defaultBackend": "gridengine",
        "gridengineQueue": "long.q",
        "gridengineOptions": ["-t 1-3"],
        "pipelineOverrides": {"mag": {"mode": "gridengine", "gridengineCores": 8}},
    }
    row = SiteSettings.get()
    row.extra_settings = {**row.extra_settings, "execution": stored}
    row.save()
    return stored


@pytest.mark.parametrize(
    ("changes", "details"),
    [
        ({"gridengineQueue": "x"}, ["gridengineQueue: is not a known key"]),
        ({"gridengineCores": "x"}, ["gridengineCores: is not a known key"]),
        (
            {"slurmCores": 0, "pipelineOverrides": {"mag": {"gridengineCores": 8}}},
            ["slurmCores: must be at least 1", "pipelineOverrides.mag.gridengineCores: is not a known key"],
        ),
        ({"pipelineOverrides": {"new": {"mode": "gridengine"}}},
         ["pipelineOverrides.new.mode: must be one of: inherit, local, slurm"]),
    ],
)  # fmt: skip
def test_a_backend_that_cannot_be_used_here_has_no_keys(
    facility: Facility, lost_backend: dict[str, object], changes: dict[str, object], details: list[str]
) -> None:
    refused = facility.admin.patch(f"{SETTINGS}/execution", changes)

    assert (refused.status_code, refused.json["details"]) == (400, details)
    assert SiteSettings.get().extra_settings["execution"] == lost_backend


def test_what_is_stored_for_a_lost_backend_stays_and_refuses_no_other_change(
    facility: Facility, lost_backend: dict[str, object]
) -> None:
    shown = facility.admin.get(SETTINGS).json["sections"]["execution"]

    saved = facility.admin.patch(
        f"{SETTINGS}/execution",
        {"slurmCores": 2, "defaultBackend": "gridengine", "pipelineOverrides": shown["pipelineOverrides"]},
    )
    section = facility.services.facility.execution()

    assert saved.status_code == 200, saved.text
    assert saved.json == {**shown, "slurmCores": 2}
    assert (section.backend_for("other"), section.backend_for("mag")) == ("gridengine", "gridengine")
    assert section.resources(Backend.SLURM, "other").cores == 2
    assert section.resources(Backend.GRIDENGINE, "mag") == Resources(8, 16, 12, "long.q", ("-t 1-3",))


def test_a_data_folder_must_be_there(facility: Facility) -> None:
    answer = facility.admin.patch(f"{SETTINGS}/storage", {"dataBasePath": str(facility.home / "nowhere")})

    assert answer.status_code == 400
    assert answer.json["details"] == ["dataBasePath: must be an existing, writable directory"]


def test_a_folder_with_a_name_that_no_file_system_takes_is_one_that_is_not_there(facility: Facility) -> None:
    path = str(facility.home / ("n" * 300))

    refused = facility.admin.patch(f"{SETTINGS}/storage", {"dataBasePath": path})
    saved = facility.admin.patch(f"{SETTINGS}/execution", {"runDirectory": path})
    health = facility.admin.get("/api/admin/health")

    assert (refused.status_code, saved.status_code, health.status_code) == (400, 200, 200)
    assert refused.json["details"] == ["dataBasePath: must be an existing, writable directory"]
    assert health.json["runDirectory"] == {"configured": True, "exists": False, "writable": False}


def test_a_data_folder_can_be_taken_away(facility: Facility) -> None:
    assert facility.admin.patch(f"{SETTINGS}/storage", {"dataBasePath": None}).json["dataBasePath"] is None


@pytest.mark.parametrize("nothing", [None, ""])
def test_the_weblog_secret_is_written_and_never_read(facility: Facility, nothing: str | None) -> None:
    path = f"{SETTINGS}/execution"

    cleared = facility.admin.patch(path, {"weblogSecret": nothing}).json["weblogSecretIsSet"]
    was_set = facility.admin.patch(path, {"weblogSecret": "a brand new secret"})

    assert (cleared, was_set.json["weblogSecretIsSet"]) == (False, True)
    assert "a brand new secret" not in was_set.text + facility.admin.get(SETTINGS).text
    assert facility.services.facility.execution().weblog_secret == "a brand new secret"
    assert "a brand new secret" not in SiteSecret.get().ciphertext
    assert "a brand new secret" not in str(SiteSettings.get().extra_settings)


def test_pipeline_overrides_merge_by_pipeline_and_null_removes_one(facility: Facility) -> None:
    path = f"{SETTINGS}/execution"
    facility.admin.patch(
        path, {"pipelineOverrides": {"mag": {"mode": "slurm"}, "reads-qc": {"slurmCores": 2}}}
    )

    answer = facility.admin.patch(path, {"pipelineOverrides": {"mag": None, "other": {"mode": "local"}}})

    assert sorted(answer.json["pipelineOverrides"]) == ["other", "reads-qc"]


def test_a_changed_secret_is_audited_without_its_value(facility: Facility) -> None:
    facility.admin.patch(f"{SETTINGS}/execution", {"weblogSecret": "a brand new secret"})

    event = facility.admin.get("/api/admin/audit", params={"action": "settings-saved"}).json["events"][0]

    assert (event["objectType"], event["objectId"]) == ("settings", "execution")
    assert event["detail"] == {
        "keys": ["weblogSecret"],
        "changed": {"weblogSecret": "changed"},
    }
    assert event["actor"]["id"] == facility.admin_id


def test_a_change_is_audited_with_the_values_before_and_after(facility: Facility) -> None:
    changes = {"siteName": "Core Lab", "contactEmail": "core@example.org", "allowRegistration": True}
    facility.admin.patch(f"{SETTINGS}/access", {**changes, "postSubmissionInstructions": "x" * 2000})

    event = facility.admin.get("/api/admin/audit", params={"action": "settings-saved"}).json["events"][0]

    assert event["detail"]["changed"] == {
        "siteName": {"before": "SeqFacility", "after": "Core Lab"},
        "contactEmail": {"before": None, "after": "core@example.org"},
        "postSubmissionInstructions": {"before": "", "after": f"{'x' * 1000}…"},
    }


HOLDS = "must not hold the state directory, the installation or folders of the system"
LIES = "must not lie in packages, database, installation or folders of the system"
FOLDERS = [
    ("storage", "dataBasePath"),
    ("execution", "runDirectory"),
    ("execution", "databaseDirectory"),
    ("streamIngest", "outputRoot"),
]


@pytest.mark.parametrize(("section", "key"), FOLDERS)
def test_no_folder_of_the_settings_holds_or_lies_in_what_the_service_keeps_for_itself(
    facility: Facility, tmp_path: Path, section: str, key: str
) -> None:
    (tmp_path / "link").symlink_to(facility.home)
    program = Path(seqfacility_instance.__file__).parent
    holding = [
        "/",
        "//",
        "/usr/..",
        str(facility.home),
        f"{facility.home}/data/..",
        str(facility.home.parent),
    ]
    holding += [str(tmp_path / "link"), str(program), str(program.parent), sysconfig.get_path("purelib")]
    inside = [str(facility.home / "packages" / "mag"), f"{program}/web", "/etc/ssl", "/proc/self"]
    before = facility.admin.get(SETTINGS).json

    for path in holding + inside:
        answer = facility.admin.patch(f"{SETTINGS}/{section}", {key: path})
        reason = LIES if path in inside else HOLDS
        assert (answer.status_code, answer.json["error"]) == (400, "Validation failed"), path
        assert answer.json["details"] == [f"{key}: {reason}"] or key == "dataBasePath", path

    assert facility.admin.get(SETTINGS).json == before


@pytest.mark.parametrize(("section", "key"), FOLDERS)
def test_a_folder_of_its_own_may_lie_in_the_state_directory_or_anywhere_else(
    facility: Facility, tmp_path: Path, section: str, key: str
) -> None:
    for folder in (facility.data, facility.home / "databases", tmp_path / "elsewhere"):
        folder.mkdir(exist_ok=True)
        assert facility.admin.patch(f"{SETTINGS}/{section}", {key: str(folder)}).json[key] == str(folder)


def test_a_folder_that_an_older_version_has_stored_counts_as_not_set(facility: Facility) -> None:
    stored = {"storage": {"dataBasePath": str(facility.home), "extraDownloadExtensions": [".key"]}}
    SiteSettings.update(extra_settings=stored, row_version=SiteSettings.row_version + 1).execute()

    key = facility.admin.get("/api/files/download", params={"path": "secret.key"})
    refused = facility.admin.patch(f"{SETTINGS}/storage", {"hardLinkOnPromotion": True})
    lines = [check.text for check in facility.services.setup_checks.run()]
    health = facility.admin.get("/api/admin/health").json

    assert (health["storage"]["configured"], health["refusedFolders"]) == (
        False, [f"storage.dataBasePath {HOLDS}"],
    )  # fmt: skip
    assert (key.status_code, key.json) == (400, {"error": "Data base path not configured"})
    assert refused.json["details"] == [f"dataBasePath: {HOLDS}"]
    assert (
        f"Folders: storage.dataBasePath {HOLDS}, and counts as not set. Set another one on the settings page."
        in lines
    )


def test_a_folder_with_the_data_of_another_facility_is_refused(facility: Facility, tmp_path: Path) -> None:
    (tmp_path / MARKER).write_text("another\n")

    answer = facility.admin.patch(f"{SETTINGS}/storage", {"dataBasePath": str(tmp_path)})

    assert answer.status_code == 400
    assert answer.json["details"] == ["dataBasePath: must not hold the data of another facility"]


@pytest.mark.parametrize("key", [None, b"no key"])
def test_a_key_that_is_gone_while_the_service_runs_is_told_and_nothing_is_saved(
    facility: Facility, key: bytes | None
) -> None:
    file = facility.home / "secret.key"
    file.unlink()
    if key is not None:
        file.write_bytes(key)

    saved = facility.admin.patch(f"{SETTINGS}/execution", {"weblogSecret": "a brand new secret"})
    shown = facility.admin.get(SETTINGS)

    assert (saved.status_code, shown.status_code) == (503, 200)
    assert saved.json["error"].startswith("Secrets cannot be stored: secret.key is ")
    assert shown.json["sections"]["execution"]["weblogSecretIsSet"] is False
