"""An instance and registries of other releases: what earlier ones published, and what later ones may add.

Decision: G973, G974.
"""

import json
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from seqfacility_instance.install_profiles.errors import ProfileInvalid, ServiceTooOld
from seqfacility_instance.tables.pipelines import PipelinePackage
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_testkit.facility import ADMIN, Facility
from seqfacility_testkit.frozen_releases import FrozenRelease, frozen_releases
from seqfacility_testkit.lying_mirror import SignedAnswers, pipeline_documents, signed_bytes
from seqfacility_testkit.registry import StandInRegistry
from tuf.api.metadata import Metadata

ID, VERSION, WITHDRAWN = "mag", "5.5.0.2", "5.5.0.1"
PACKAGE = f"registry/pipelines/{ID}/{VERSION}/download"
Documents = dict[str, Any]
Addition = Callable[[Documents], None]


def registry_of(facility: Facility) -> Any:
    return facility.services.runs.pipeline_installation.registry


def forget_what_came_with_the_service(facility: Facility) -> None:
    PipelinePackage.delete().where(PipelinePackage.pipeline_id == ID).execute()
    shutil.rmtree(facility.home / "packages" / ID)


def reads_everything(facility: Facility, installs: str = VERSION) -> dict[str, Any]:
    """Let the instance read each document that it reads of a registry; return the store and what it said."""
    registry, admin = registry_of(facility), facility.sign_in(ADMIN)
    store = admin.get("/api/admin/pipelines/store").json
    assert store["registry"]["error"] is None
    withdrawn = admin.post("/api/admin/pipelines/install", {"pipelineId": ID, "version": WITHDRAWN})
    assert withdrawn.status_code == 409, withdrawn.text
    installed = admin.post("/api/admin/pipelines/install", {"pipelineId": ID})
    assert installed.status_code == 201, installed.text
    assert installed.json["pipeline"]["version"] == installs
    catalog = admin.post("/api/admin/sequencing-tech", {"action": "apply-updates", "force": True})
    assert (catalog.status_code, catalog.json["skipped"]) == (200, []), catalog.text
    lists = admin.post("/api/admin/mixs-checklists", {"action": "check-updates"})
    assert (lists.status_code, lists.json["skipped"]) == (200, []), lists.text
    url = registry.url("install-profiles", "single-machine", "resolve")
    assert facility.services.install_profiles.read(url, None)["id"] == "single-machine"
    return {"store": store, "installed": installed.json["pipeline"]}


@pytest.fixture(params=frozen_releases(), ids=lambda release: release.version)
def release(request: pytest.FixtureRequest) -> FrozenRelease:
    frozen: FrozenRelease = request.param
    return frozen


@pytest.fixture
def registry(facility: Facility, release: FrozenRelease) -> Iterator[StandInRegistry]:
    """Return a registry that answers what that of a release did."""
    with StandInRegistry() as registry:
        object.__setattr__(registry_of(facility).client, "base_url", registry.base_url)
        registry.answers = release.answers()
        forget_what_came_with_the_service(facility)
        yield registry


@pytest.mark.usefixtures("registry")
def test_what_the_registry_of_a_release_published_is_read(facility: Facility) -> None:
    found = reads_everything(facility)

    assert [one["id"] for one in found["store"]["pipelines"]] == ["fastq-checksum", ID]


@pytest.mark.usefixtures("registry")
def test_what_the_registry_of_a_release_signed_is_verified(
    facility: Facility, release: FrozenRelease
) -> None:
    facility.clock.moved = release.frozen_at + timedelta(hours=1) - datetime.now(UTC)
    object.__setattr__(registry_of(facility), "pinned_root", release.root)

    reads_everything(facility)

    shown = facility.sign_in(ADMIN).get("/api/admin/registry-trust").json
    (seen,) = shown["registries"]
    assert shown["policy"] == "required"
    assert [role["name"] for role in seen["roles"]] == ["root", "snapshot", "targets", "timestamp"]


# What a later registry may add.

NEW = {"a": [1, {"b": None}]}


def entries(documents: Documents) -> list[dict[str, Any]]:
    """Return the entry as the index and as the entry itself have it."""
    index, entry = documents["registry"], documents[f"registry/{ID}"]
    return [entry, *(one for one in index["pipelines"] if one["id"] == ID)]


def package(documents: Documents, change: Callable[[dict[str, Any]], None]) -> None:
    """Change a package, and say its digest where it is said."""
    payload = documents[PACKAGE]
    change(payload)
    payload["sha256"] = payload_digest(payload)
    for entry in entries(documents):
        for row in entry["versions"]:
            if row["version"] == VERSION:
                row["sha256"] = payload["sha256"]


def keys_everywhere(documents: Documents) -> None:
    for name, document in documents.items():
        if not name.endswith(("/download", "/resolve")):
            document["aLaterKey"] = NEW
    for entry in entries(documents):
        entry["aLaterKey"] = NEW
        for part in (*entry["versions"], *entry["advisories"], entry["source"], entry["capabilities"]):
            part["aLaterKey"] = NEW
    for item in [
        *documents["registry"]["categories"],
        *documents["registry/sequencing-tech"]["technologies"],
        *documents["registry/sequencing-tech"]["kits"],
        *documents["registry/mixs"]["checklists"],
        *(field for one in documents["registry/mixs"]["checklists"] for field in one["fields"]),
    ]:
        item["aLaterKey"] = NEW


def keys_in_a_package(documents: Documents) -> None:
    def change(payload: dict[str, Any]) -> None:
        for part in (payload, *(payload[name] for name in ("manifest", "definition", "registry"))):
            part["aLaterKey"] = NEW

    package(documents, change)


def a_category(documents: Documents) -> None:
    later = {"id": "transcriptomics", "name": "Transcriptomics", "description": "RNA."}
    documents["registry"]["categories"].append(later)
    for entry in entries(documents):
        entry["category"] = "transcriptomics"
    package(documents, lambda payload: payload["registry"].update(category="transcriptomics"))


def a_status_of_a_version(documents: Documents) -> None:
    for entry in entries(documents):
        (newest,) = [row for row in entry["versions"] if row["version"] == VERSION]
        newest["status"] = "superseded"


def a_status_of_a_pipeline(documents: Documents) -> None:
    later = {**documents["registry"]["pipelines"][0], "id": "a-later-one", "status": "on-request"}
    documents["registry"]["pipelines"].append(later)


def an_advisory(documents: Documents) -> None:
    later = {
        "id": "SFA-2031-0007",
        "published": "2031-05-04",
        "severity": "catastrophic",
        "summary": "Something new.",
        "affects": [VERSION],
        "credits": ["somebody"],
    }
    for entry in entries(documents):
        entry["advisories"].append(later)


def a_minor_version_of_the_index(documents: Documents) -> None:
    documents["registry"]["version"] = "1.9.0"


def a_type_of_a_field(documents: Documents) -> None:
    documents["registry/mixs"]["checklists"][0]["fields"][0]["type"] = "coordinates"


def a_collection_of_the_catalog(documents: Documents) -> None:
    documents["registry/sequencing-tech"]["robots"] = [{"id": "a-robot", "name": "A robot"}]


def a_document(documents: Documents) -> None:
    documents["registry/reference-genomes"] = NEW


ADDITIONS = [
    keys_everywhere,
    keys_in_a_package,
    a_category,
    a_status_of_a_version,
    a_status_of_a_pipeline,
    an_advisory,
    a_minor_version_of_the_index,
    a_type_of_a_field,
    a_collection_of_the_catalog,
    a_document,
]


def documents_of(release: FrozenRelease) -> Documents:
    """Return the documents of a release by the names under which they are signed."""
    return {
        path.removeprefix("/api/"): json.loads(content)
        for path, content in release.answers().items()
        if path.startswith(("/api/registry", "/api/install-profiles")) and not path.endswith(".json")
    }


@pytest.mark.parametrize("addition", ADDITIONS, ids=lambda addition: addition.__name__)
def test_what_a_later_registry_adds_is_read_over(
    facility: Facility, signed: SignedAnswers, release: FrozenRelease, addition: Addition
) -> None:
    forget_what_came_with_the_service(facility)
    documents = documents_of(release)
    addition(documents)
    signed.publish({name: canonical_json(document) for name, document in documents.items()})

    found = reads_everything(facility)

    shown = {one["id"]: one for one in found["store"]["pipelines"]}
    assert shown[ID]["installable"], shown[ID]["reason"]
    if addition is a_status_of_a_pipeline:
        assert not shown["a-later-one"]["installable"]
    if addition is a_category:
        assert shown[ID]["category"] == "transcriptomics"
        assert found["installed"]["category"] == "other"
    if addition is an_advisory:
        told = found["installed"]["advisories"]
        assert [one["severity"] for one in told] == ["catastrophic"]


def test_fields_that_are_not_known_in_signed_metadata_are_read_over(
    facility: Facility, signed: SignedAnswers
) -> None:
    signed.root.unrecognized_fields["x-later"] = NEW
    signed.rotate()
    for name in ("targets", "snapshot"):
        changed = Metadata.from_bytes(signed.file(f"{name}.2.json")).signed
        changed.unrecognized_fields["x-later"] = NEW
        signed.put(f"{name}.2.json", signed_bytes(changed, signed.release_key))
    signed.put_timestamp(version=3)
    stamped = Metadata.from_bytes(signed.file("timestamp.json")).signed
    stamped.unrecognized_fields["x-later"] = NEW
    signed.put("timestamp.json", signed_bytes(stamped, signed.online_key))

    answer = facility.admin.post("/api/admin/pipelines/install", {"pipelineId": "new-qc"})

    assert answer.status_code == 201, answer.text


def test_a_role_that_was_not_there_signs_what_is_its_own(facility: Facility, signed: SignedAnswers) -> None:
    assert facility.admin.get("/api/admin/pipelines/store").json["registry"]["error"] is None
    signed.add_publisher("consortium", pipeline_documents("consortium-qc", "1.0.0"))
    signed.publish()

    for pipeline in ("consortium-qc", "new-qc"):
        answer = facility.admin.post("/api/admin/pipelines/install", {"pipelineId": pipeline})

        assert answer.status_code == 201, answer.text


def test_an_index_of_another_major_version_is_refused_in_words(
    facility: Facility, signed: SignedAnswers, release: FrozenRelease
) -> None:
    index = documents_of(release)["registry"] | {"version": "2.0.0"}
    signed.publish({"registry": canonical_json(index)})

    said = facility.admin.get("/api/admin/pipelines/store").json["registry"]

    assert said["error"] == "Registry answers with version 2.0.0 of its index; this release reads version 1"


def test_a_profile_of_a_later_form_is_told_by_its_release(
    facility: Facility, signed: SignedAnswers, release: FrozenRelease
) -> None:
    name = "install-profiles/single-machine/resolve"
    profile = documents_of(release)[name] | {"aLaterKey": NEW}
    url = f"{signed.registry.base_url}/{name}"

    signed.publish({name: canonical_json(profile | {"minServiceVersion": "99.0.0"})})
    with pytest.raises(ServiceTooOld):
        facility.services.install_profiles.read(url, None)
    signed.publish({name: canonical_json(profile)})
    with pytest.raises(ProfileInvalid):
        facility.services.install_profiles.read(url, None)


def test_a_package_that_needs_a_later_release_says_which(
    facility: Facility, signed: SignedAnswers, release: FrozenRelease
) -> None:
    forget_what_came_with_the_service(facility)
    documents = documents_of(release)
    package(documents, lambda payload: payload["manifest"].update(minServiceVersion="99.0.0", engine="new"))
    signed.publish({name: canonical_json(document) for name, document in documents.items()})

    answer = facility.admin.post("/api/admin/pipelines/install", {"pipelineId": ID})

    assert (answer.status_code, "99.0.0" in answer.json["error"]) == (409, True), answer.text
