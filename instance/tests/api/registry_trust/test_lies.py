"""What a mirror may try, with and without stolen keys: refused in words, and nothing is stored."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from seqfacility_instance.tables.pipelines import PipelinePackage
from seqfacility_instance.tables.registry_trust import RegistryRefusal, RegistryTrust
from seqfacility_testkit.facility import ADMIN, Facility
from seqfacility_testkit.lying_mirror import (
    TRUST,
    SignedAnswers,
    new_key,
    pipeline_documents,
    signed_bytes,
    with_changed,
)
from seqfacility_testkit.pipeline_runs import running, status_of, use_scripted_executor
from seqfacility_testkit.registry import StandInRegistry
from seqfacility_testkit.sequencing import submitted_order
from tuf.api.metadata import Metadata, Root

NOT_VALID = "Registry signature is not valid"
OLDER = "Registry data is older than what was seen"
NOT_REACHABLE = "Registry is not reachable"
Lie = Callable[[SignedAnswers], None]


def install(facility: Facility, pipeline_id: str = "new-qc") -> Any:
    return facility.admin.post("/api/admin/pipelines/install", {"pipelineId": pipeline_id})


def look(facility: Facility) -> Any:
    return facility.admin.get("/api/admin/pipelines/store").json


def stored(facility: Facility) -> Any:
    """Return everything that a fetch could have changed."""
    packages = sorted(PipelinePackage.select(PipelinePackage.pipeline_id, PipelinePackage.version).tuples())
    files = sorted(str(path) for path in (facility.home / "packages").rglob("*"))
    return packages, files, list(RegistryTrust.select().dicts())


def refused(facility: Facility, text: str) -> None:
    """Install and look at the store; both must say why not, and nothing may have changed."""
    before = stored(facility)

    answer = install(facility)

    assert (answer.status_code, answer.json) == (502, {"error": text})
    assert stored(facility) == before
    listed = facility.admin.get("/api/admin/pipelines").json["pipelines"]
    assert [one["id"] for one in listed if one["enabled"] and not one["available"]] == []


def next_publication(signed: SignedAnswers) -> None:
    signed.publish(pipeline_documents("new-qc", "3.0.0"))


def document(signed: SignedAnswers, name: str) -> str:
    """Return where a signed document is served."""
    targets = json.loads(signed.file(f"targets.{signed.version}.json"))["signed"]["targets"]
    return f"documents/{targets[name]['hashes']['sha256']}.json"


PACKAGE = "registry/pipelines/new-qc/2.0.0/download"


# Lies of who has no key.


def no_timestamp(signed: SignedAnswers) -> None:
    del signed.registry.answers[TRUST + "timestamp.json"]


def longer_life(signed: SignedAnswers) -> None:
    signed.put(
        "timestamp.json", with_changed(signed.file("timestamp.json"), {"expires": "2099-01-01T00:00:00Z"})
    )


def no_signature(signed: SignedAnswers) -> None:
    next_publication(signed)
    timestamp = json.loads(signed.file("timestamp.json"))
    signed.put("timestamp.json", json.dumps({**timestamp, "signatures": []}).encode())


def signature_twice(signed: SignedAnswers) -> None:
    next_publication(signed)
    timestamp = json.loads(signed.file("timestamp.json"))
    signed.put(
        "timestamp.json", json.dumps({**timestamp, "signatures": timestamp["signatures"] * 2}).encode()
    )


def own_key(signed: SignedAnswers) -> None:
    next_publication(signed)
    signed.put_timestamp(key=new_key())


def a_login_page(signed: SignedAnswers) -> None:
    signed.put("timestamp.json", b"<html>Welcome to the guest network</html>")


def deep_json(signed: SignedAnswers) -> None:
    signed.put("timestamp.json", b"[" * 8000 + b"]" * 8000)


def snapshot_of_before(signed: SignedAnswers) -> None:
    before = signed.file("snapshot.2.json")
    next_publication(signed)
    signed.put("snapshot.3.json", before)


def targets_of_before(signed: SignedAnswers) -> None:
    before = signed.file("targets.2.json")
    next_publication(signed)
    signed.put("targets.3.json", before)


def snapshot_is_missing(signed: SignedAnswers) -> None:
    next_publication(signed)
    del signed.registry.answers[TRUST + "snapshot.3.json"]


def swapped_documents(signed: SignedAnswers) -> None:
    signed.put(document(signed, PACKAGE), signed.documents["registry/new-qc"])


def changed_package(signed: SignedAnswers) -> None:
    content = signed.documents[PACKAGE]
    signed.put(document(signed, PACKAGE), content.replace(b"New QC", b"Old QC").replace(b"new-qc", b"old-qc"))


def short_document(signed: SignedAnswers) -> None:
    signed.put(document(signed, PACKAGE), signed.documents[PACKAGE][:-1])


def long_document(signed: SignedAnswers) -> None:
    signed.put(document(signed, PACKAGE), signed.documents[PACKAGE] + b"\n")


def endless_document(signed: SignedAnswers) -> None:
    signed.put(document(signed, PACKAGE), b" " * 20 * 2**20)


def missing_document(signed: SignedAnswers) -> None:
    del signed.registry.answers[TRUST + document(signed, PACKAGE)]


def huge_timestamp(signed: SignedAnswers) -> None:
    signed.put("timestamp.json", signed.file("timestamp.json") + b" " * 2**20)


def huge_root(signed: SignedAnswers) -> None:
    signed.put("root.2.json", signed.file("root.1.json") + b" " * 2**20)


def huge_snapshot(signed: SignedAnswers) -> None:
    next_publication(signed)
    signed.put("snapshot.3.json", signed.file("snapshot.3.json") + b" " * 2**22)


class ChangesAfterTheEntry(dict[str, bytes]):
    """The answers of a mirror that takes up another publication between two reads of one act."""

    def __init__(self, signed: SignedAnswers) -> None:
        super().__init__(signed.registry.answers)
        self.entry = TRUST + document(signed, "registry/new-qc")
        self.package = TRUST + document(signed, PACKAGE)

    def get(self, path: str, default: Any = None) -> Any:
        answer = super().get(path, default)
        if path == self.entry:
            self[self.package] = b"{}"
        return answer


def changes_between_two_reads(signed: SignedAnswers) -> None:
    signed.registry.answers = ChangesAfterTheEntry(signed)


# Lies of who has stolen the online key.


def names_a_snapshot_of_its_own(signed: SignedAnswers) -> None:
    release, signed.release_key = signed.release_key, signed.online_key
    next_publication(signed)
    signed.release_key = release


def names_an_older_snapshot(signed: SignedAnswers) -> None:
    signed.put_timestamp(version=3, snapshot=1)


def says_not_when_it_was_issued(signed: SignedAnswers) -> None:
    next_publication(signed)
    timestamp = Metadata.from_bytes(signed.file("timestamp.json")).signed
    timestamp.unrecognized_fields.clear()
    signed.put("timestamp.json", signed_bytes(timestamp, signed.online_key))


# Lies of who has stolen the release key, or one that says too much.


def names_an_older_role(signed: SignedAnswers) -> None:
    signed.version = 3
    signed.put_snapshot({"targets": signed.file("targets.1.json")})
    signed.put_timestamp()


def drops_a_role(signed: SignedAnswers) -> None:
    signed.version = 3
    signed.put_snapshot({})
    signed.put_timestamp()


def signed_without_a_digest(signed: SignedAnswers) -> None:
    next_publication(signed)
    targets = Metadata.from_bytes(signed.file("targets.3.json")).signed
    for target in targets.targets.values():
        target.hashes = {"sha512": "0" * 128}
    content = signed_bytes(targets, signed.release_key)
    signed.put("targets.3.json", content)
    signed.put_snapshot({"targets": content})
    signed.put_timestamp()


# Lies with roots.


def root_of_too_few(signed: SignedAnswers) -> None:
    signed.root.version += 1
    signed.put_root(signed.root_keys[0])


def root_of_strangers(signed: SignedAnswers) -> None:
    signed.root_keys = [new_key() for _ in range(3)]
    signed.root.version += 1
    signed.name_keys()
    signed.put_root()


def root_of_a_lower_threshold(signed: SignedAnswers) -> None:
    signed.root.version += 1
    signed.name_keys(threshold=1)
    signed.put_root(signed.root_keys[0])


def root_that_skips(signed: SignedAnswers) -> None:
    signed.root.version += 2
    content = signed.put_root()
    signed.put("root.2.json", content)


def root_of_before(signed: SignedAnswers) -> None:
    signed.put("root.2.json", signed.file("root.1.json"))


def hidden_rotation(signed: SignedAnswers) -> None:
    signed.rotate(online_key=new_key())
    next_publication(signed)
    del signed.registry.answers[TRUST + "root.2.json"]


LIES_WITHOUT_A_VALID_SIGNATURE: list[Lie] = [
    no_timestamp,
    longer_life,
    no_signature,
    signature_twice,
    own_key,
    a_login_page,
    deep_json,
    snapshot_of_before,
    snapshot_is_missing,
    swapped_documents,
    changed_package,
    short_document,
    long_document,
    endless_document,
    missing_document,
    huge_timestamp,
    huge_root,
    huge_snapshot,
    changes_between_two_reads,
    names_a_snapshot_of_its_own,
    says_not_when_it_was_issued,
    drops_a_role,
    signed_without_a_digest,
    root_of_too_few,
    root_of_strangers,
    root_of_a_lower_threshold,
    root_that_skips,
    root_of_before,
    hidden_rotation,
]


@pytest.mark.parametrize("lie", LIES_WITHOUT_A_VALID_SIGNATURE, ids=lambda lie: lie.__name__)
def test_what_is_not_signed_as_it_must_be_is_refused(
    facility: Facility, signed: SignedAnswers, lie: Lie
) -> None:
    assert look(facility)["registry"]["error"] is None

    lie(signed)

    refused(facility, NOT_VALID)


def whole_publication_of_before(signed: SignedAnswers) -> None:
    signed.put_timestamp(version=1, snapshot=1)


@pytest.mark.parametrize(
    "lie",
    [whole_publication_of_before, targets_of_before, names_an_older_snapshot, names_an_older_role],
    ids=lambda lie: lie.__name__,
)
def test_what_is_older_than_what_was_seen_is_refused(
    facility: Facility, signed: SignedAnswers, lie: Lie
) -> None:
    assert look(facility)["registry"]["error"] is None

    lie(signed)

    refused(facility, OLDER)


def expired_root(signed: SignedAnswers) -> None:
    signed.root.version += 1
    signed.root.expires = signed.now - timedelta(days=1)
    signed.put_root()


def expired_timestamp(signed: SignedAnswers) -> None:
    signed.put_timestamp(version=3, days=-1)


def expired_snapshot(signed: SignedAnswers) -> None:
    signed.version = 3
    signed.put_snapshot({"targets": signed.file("targets.2.json")}, days=-1)
    signed.put_timestamp()


def expired_targets(signed: SignedAnswers) -> None:
    now, signed.now = signed.now, signed.now - timedelta(days=91)
    signed.version = 3
    content = signed.put_targets()
    signed.now = now
    signed.put_snapshot({"targets": content})
    signed.put_timestamp()


@pytest.mark.parametrize(
    "lie", [expired_root, expired_timestamp, expired_snapshot, expired_targets], ids=lambda lie: lie.__name__
)
def test_metadata_whose_time_is_over_is_refused_with_the_day(
    facility: Facility, signed: SignedAnswers, lie: Lie
) -> None:
    lie(signed)

    refused(facility, f"Registry data expired on {signed.now - timedelta(days=1):%Y-%m-%d}")


def test_a_mirror_that_stands_still_is_refused_when_its_week_is_over(
    facility: Facility, signed: SignedAnswers
) -> None:
    assert look(facility)["registry"]["error"] is None

    facility.clock.advance(timedelta(days=8))
    facility.admin = facility.sign_in(ADMIN)

    refused(facility, f"Registry data expired on {signed.now + timedelta(days=7):%Y-%m-%d}")


def test_a_clock_that_is_behind_is_told_and_not_the_registry(
    facility: Facility, signed: SignedAnswers
) -> None:
    signed.now += timedelta(days=3)
    next_publication(signed)

    before = stored(facility)
    answer = install(facility)

    assert answer.status_code == 502
    assert answer.json["error"].startswith("The clock of this server is wrong: it says ")
    assert answer.json["error"].endswith(f"issued on {signed.now:%Y-%m-%dT%H:%M:%S}.000Z")
    assert stored(facility) == before


def test_a_clock_that_is_ahead_lets_data_expire_and_the_log_names_the_clock(
    facility: Facility, signed: SignedAnswers, caplog: pytest.LogCaptureFixture
) -> None:
    assert look(facility)["registry"]["error"] is None
    facility.clock.advance(timedelta(days=30))
    facility.admin = facility.sign_in(ADMIN)
    caplog.set_level("INFO", "seqfacility.registry")

    refused(facility, f"Registry data expired on {signed.now + timedelta(days=7):%Y-%m-%d}")

    assert f"the clock of this server says {facility.clock.now():%Y-%m-%d}" in caplog.text


def test_trust_files_are_not_fetched_from_another_host(facility: Facility, signed: SignedAnswers) -> None:
    with StandInRegistry() as elsewhere:
        elsewhere.answers = signed.registry.answers
        signed.registry.moved[TRUST + "timestamp.json"] = elsewhere.url(TRUST + "timestamp.json")

        refused(facility, NOT_REACHABLE)

        assert elsewhere.asked == []


def test_a_registry_in_trouble_is_told_as_such(facility: Facility, signed: SignedAnswers) -> None:
    signed.registry.status = 500

    refused(facility, "API returned 500")


def test_a_publisher_signs_its_own_pipelines_and_no_others(facility: Facility, signed: SignedAnswers) -> None:
    lab, other = pipeline_documents("lab-qc", "1.0.0"), pipeline_documents("other-qc", "1.0.0")
    signed.add_publisher("lab", {**lab, **other})
    signed.publish()

    theirs, foreign = install(facility, "lab-qc"), install(facility, "other-qc")

    assert theirs.status_code == 201, theirs.text
    assert (foreign.status_code, foreign.json) == (404, {"error": "Pipeline package not found"})
    assert not (facility.home / "packages/other-qc").exists()


def test_a_publisher_who_signs_with_anothers_key_is_refused(
    facility: Facility, signed: SignedAnswers
) -> None:
    signed.add_publisher("lab", pipeline_documents("lab-qc", "1.0.0"))
    signed.publish()
    targets = signed.file("targets.3.json")
    signed.publisher_keys["lab"] = new_key()
    signed.publish(version=3)
    signed.put("targets.3.json", targets)
    signed.put_snapshot({"targets": targets, "lab": signed.file("lab.3.json")})
    signed.put_timestamp()

    answer = install(facility, "lab-qc")

    assert (answer.status_code, answer.json) == (502, {"error": NOT_VALID})


def test_a_publisher_whose_time_is_over_stops_nobody_else(facility: Facility, signed: SignedAnswers) -> None:
    signed.add_publisher("lab", pipeline_documents("lab-qc", "1.0.0"))
    signed.publish()
    lab = Metadata.from_bytes(signed.file("lab.3.json")).signed
    lab.expires = signed.now - timedelta(days=1)
    signed.put("lab.3.json", signed_bytes(lab, signed.publisher_keys["lab"]))
    signed.put_snapshot({"targets": signed.file("targets.3.json"), "lab": signed.file("lab.3.json")})
    signed.put_timestamp()

    over, others = install(facility, "lab-qc"), install(facility)

    day = f"{lab.expires:%Y-%m-%d}"
    assert (over.status_code, over.json) == (502, {"error": f"Registry data expired on {day}"})
    assert others.status_code == 201, others.text


def test_an_installed_pipeline_starts_while_the_registry_lies(
    facility: Facility, signed: SignedAnswers
) -> None:
    use_scripted_executor(facility)
    own_key(signed)
    refused(facility, NOT_VALID)
    order = submitted_order(facility)

    run_id, folder = running(facility, order)

    assert status_of(facility, run_id) in {"queued", "running"}
    assert folder.path.is_dir()


def test_a_root_file_that_is_none_is_told(facility: Facility, signed: SignedAnswers) -> None:
    trusted = facility.services.runs.pipeline_installation.registry
    root = Root(consistent_snapshot=True)
    assert trusted.pinned_root is not None

    for content in (b"", b"{}", signed_bytes(root)):
        trusted.pinned_root.write_bytes(content)
        refused(facility, NOT_VALID)
    trusted.pinned_root.unlink()
    refused(facility, NOT_VALID)
    (row,) = RegistryRefusal.select()
    assert row.reason == (
        f"SEQFACILITY_REGISTRY_ROOT: {trusted.pinned_root} is no root of a registry that enough of its own "
        "keys have signed"
    )


def test_a_document_that_was_changed_is_named(facility: Facility, signed: SignedAnswers) -> None:
    long_document(signed)
    refused(facility, NOT_VALID)

    (row,) = RegistryRefusal.select()
    assert row.reason.endswith(f".json: {PACKAGE} is longer than what was signed")
