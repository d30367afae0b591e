"""Signing a content folder by the commands: who may, what changes, what stays, and equal bytes."""

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.trust_files import document_file
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.trust.documents import documents_of
from seqfacility_schemas import problems
from seqfacility_testkit.signed_registry import SignedRegistry, run, sign_registry
from tuf.api.metadata import Metadata

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def signed(content: Path, tmp_path: Path) -> SignedRegistry:
    return sign_registry(content, tmp_path / "keys", now=NOON)


def files_of(content: Path) -> dict[str, bytes]:
    trust = content / "trust"
    return {str(path.relative_to(trust)): path.read_bytes() for path in trust.rglob("*") if path.is_file()}


def signed_part(content: Path, name: str) -> Any:
    return json.loads((content / "trust" / name).read_bytes())["signed"]


def change_catalog(content: Path, name: str = "another name") -> None:
    path = content / "catalog" / "sequencing-tech.json"
    catalog = json.loads(path.read_bytes())
    catalog["technologies"][0]["name"] = name
    catalog["version"] += 1
    path.write_text(json.dumps(catalog))


def refused(*arguments: object, now: datetime = NOON) -> str:
    """Run a command that has to refuse; return what it says."""
    with pytest.raises(AssertionError) as refusal:
        run(*arguments, now=now)
    text = str(refusal.value).strip().partition("error: ")[2]
    assert text, str(refusal.value)
    return text


def test_a_private_key_is_readable_for_its_owner_alone_and_never_overwritten(tmp_path: Path) -> None:
    run("keygen", tmp_path / "key")

    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "key").read_text().startswith("-----BEGIN PRIVATE KEY-----")
    assert (tmp_path / "key.pub").read_text().startswith("-----BEGIN PUBLIC KEY-----")
    assert refused("keygen", tmp_path / "key").endswith("key.pub exists already")


def test_a_key_that_others_may_read_signs_nothing(signed: SignedRegistry) -> None:
    signed.key("timestamp").chmod(0o640)

    said = refused("timestamp", signed.content, "--key", signed.key("timestamp"))

    assert said.endswith("timestamp may be read by others than its owner: chmod 600")


def test_every_metadata_file_fits_its_schema_and_every_document_lies_there_by_its_digest(
    signed: SignedRegistry,
) -> None:
    trust = signed.content / "trust"
    for path in trust.glob("*.json"):
        assert problems("registry/trust-metadata", json.loads(path.read_bytes())) == []
    targets = signed_part(signed.content, "targets.1.json")["targets"]

    for path, target in targets.items():
        content = (trust / "documents" / document_file(path, target["hashes"]["sha256"])).read_bytes()
        assert len(content) == target["length"]
    assert {"registry", "registry/mixs", "registry/sequencing-tech", "version", "research-data"} <= set(
        targets
    )
    assert {"install-profiles", "install-profiles/open", "images/catalog/x.svg"} <= set(targets)
    assert "registry/pipelines/read-counter/1.9.0/download" in targets
    assert "registry/pipelines/private-counter/1.0.0/download" not in targets
    assert targets["registry/mixs"]["custom"] == {"version": 1}
    assert "custom" not in targets["registry"]


def test_signed_documents_name_no_address_and_fit_the_schemas_of_the_answers(content: Path) -> None:
    documents = documents_of(read_publication(content))

    index = json.loads(documents["registry"].content)
    profile = json.loads(documents["install-profiles/open"].content)
    assert index["baseUrl"] == "/registry"
    assert index["pipelines"][1]["versions"][0]["downloadUrl"] == (
        "/registry/pipelines/read-counter/1.10.0/download"
    )
    assert profile["resolveUrl"] == "/install-profiles/open/resolve"
    assert problems("registry/pipeline-index", index) == []
    assert problems("registry/install-profile", profile) == []
    for name, row in documents.items():
        assert b"://localhost" not in row.content, name


def test_two_people_with_the_same_content_keys_and_time_make_the_same_bytes(
    signed: SignedRegistry, tmp_path: Path
) -> None:
    other = SignedRegistry(tmp_path / "other", signed.keys)
    shutil.copytree(signed.content, other.content)
    change_catalog(signed.content)
    change_catalog(other.content)

    signed.sign(now=NOON + DAY)
    other.sign(now=NOON + DAY + timedelta(hours=7))
    for one in (signed, other):
        one.timestamp(now=NOON + 2 * DAY)

    assert files_of(signed.content) == files_of(other.content)


def test_signatures_are_the_same_in_whatever_order_people_sign(
    signed: SignedRegistry, tmp_path: Path
) -> None:
    other = SignedRegistry(tmp_path / "other", signed.keys)
    shutil.copytree(signed.content, other.content)

    signed.new_root(by=("root-a", "root-b"), now=NOON)
    run("new-root", other.content, now=NOON)
    for name in ("root-b", "root-a"):
        run("sign", other.content, "--role", "root", "--key", other.key(name), now=NOON)

    assert files_of(signed.content) == files_of(other.content)


def test_signing_an_unchanged_content_changes_nothing(signed: SignedRegistry) -> None:
    before = files_of(signed.content)

    signed.sign(now=NOON + DAY)

    assert files_of(signed.content) == before


def test_an_unchanged_content_is_signed_anew_when_half_of_its_life_is_over(signed: SignedRegistry) -> None:
    signed.sign(now=NOON + 50 * DAY)

    assert signed_part(signed.content, "targets.2.json")["expires"] == "2031-09-21T00:00:00Z"
    assert signed_part(signed.content, "snapshot.2.json")["meta"]["targets.json"]["version"] == 2


def test_a_changed_content_is_published_by_the_next_timestamp_and_not_before(signed: SignedRegistry) -> None:
    change_catalog(signed.content)

    signed.sign(now=NOON + DAY)
    assert signed_part(signed.content, "timestamp.json")["meta"]["snapshot.json"]["version"] == 1
    assert read_publication(signed.content).trust.find("snapshot.2.json") is None
    signed.timestamp(now=NOON + DAY)

    timestamp = signed_part(signed.content, "timestamp.json")
    assert timestamp["version"] == 2
    assert timestamp["issued"] == "2031-05-05T12:00:00Z"
    assert timestamp["expires"] == "2031-05-12T12:00:00Z"
    assert timestamp["meta"]["snapshot.json"]["version"] == 2
    assert read_publication(signed.content).trust.find("snapshot.2.json") is not None


def test_what_changes_before_it_is_published_needs_no_version_of_its_own(signed: SignedRegistry) -> None:
    for name in ("one name", "another name"):
        change_catalog(signed.content, name)
        signed.sign(now=NOON)

    targets = signed_part(signed.content, "targets.2.json")["targets"]
    catalog = json.loads((signed.content / "catalog" / "sequencing-tech.json").read_bytes())
    assert targets["registry/sequencing-tech"]["custom"]["version"] == catalog["version"]
    assert not (signed.content / "trust" / "targets.3.json").exists()


def test_the_publication_before_stays_and_the_one_before_that_goes(signed: SignedRegistry) -> None:
    kept: list[set[str]] = []
    for number in range(3):
        kept.append(set(files_of(signed.content)))
        change_catalog(signed.content, f"name {number}")
        signed.publish(now=NOON + number * DAY)
    kept.append(set(files_of(signed.content)))

    catalogs = []
    for version in (3, 4):
        targets = signed_part(signed.content, f"targets.{version}.json")["targets"]
        digest = targets["registry/sequencing-tech"]["hashes"]["sha256"]
        catalogs.append(f"documents/{digest}.json")
    assert set(catalogs) <= kept[-1]
    assert {"snapshot.3.json", "snapshot.4.json", "root.1.json"} <= kept[-1]
    assert not {"snapshot.1.json", "snapshot.2.json", "targets.2.json"} & kept[-1]
    assert len([name for name in kept[-1] if name.startswith("documents/")]) == 1 + len(
        [name for name in kept[0] if name.startswith("documents/")]
    )


def test_a_broken_content_is_not_signed(signed: SignedRegistry) -> None:
    (signed.content / "releases" / "beta.json").write_text("{")

    said = refused("sign", signed.content, "--role", "snapshot", "--key", signed.key("snapshot"))

    assert said.startswith("the content is broken: releases/beta.json")


@pytest.mark.parametrize("role", ["root", "snapshot", "timestamp"])
def test_a_key_signs_for_its_own_role_alone(signed: SignedRegistry, role: str) -> None:
    run("new-root", signed.content, now=NOON)
    foreign = signed.make_key("foreign")
    command = (
        ("timestamp", signed.content) if role == "timestamp" else ("sign", signed.content, "--role", role)
    )

    said = refused(*command, "--key", foreign)

    assert said.endswith(f"does not belong to the role {role}")


def test_a_rotated_root_needs_the_old_and_the_new_threshold(signed: SignedRegistry) -> None:
    signed.make_key("root-d")
    keep = [signed.public_key(f"root-{letter}") for letter in "bcd"]
    run("new-root", signed.content, "--root-key", *keep, now=NOON)

    said = run(
        "sign", signed.content, "--role", "root", "--key", *map(signed.key, ("root-a", "root-b")), now=NOON
    )
    assert said.splitlines()[-1] == "root 2 has 1 of 2 signatures, and 2 of 2 of the root before"
    assert read_publication(signed.content).trust.find("root.2.json") is None
    run("sign", signed.content, "--role", "root", "--key", signed.key("root-d"), now=NOON)

    assert read_publication(signed.content).trust.find("root.2.json") is not None
    before, after = signed_part(signed.content, "root.1.json"), signed_part(signed.content, "root.2.json")
    assert after["roles"]["timestamp"] == before["roles"]["timestamp"]
    assert after["roles"]["root"]["threshold"] == 2
    first = Metadata.from_file(str(signed.root_file))
    second = Metadata.from_file(str(signed.content / "trust" / "root.2.json"))
    first.verify_delegate("root", second)
    second.verify_delegate("root", second)


def test_a_new_release_key_signs_everything_anew_under_new_versions(signed: SignedRegistry) -> None:
    signed.make_key("new")
    signed.new_root("--snapshot-key", signed.public_key("new"), now=NOON)

    said = refused("timestamp", signed.content, "--key", signed.key("timestamp"))
    assert said == "snapshot 1: 0 of 1 signatures that it needs"
    run("sign", signed.content, "--role", "snapshot", "--key", signed.key("new"), now=NOON)
    signed.timestamp(now=NOON)

    assert signed_part(signed.content, "snapshot.2.json")["meta"]["targets.json"]["version"] == 2
    assert run_check(signed, NOON) == ""


def test_the_first_root_says_everything(content: Path, tmp_path: Path) -> None:
    run("keygen", tmp_path / "a")
    run("keygen", tmp_path / "b")

    assert refused("new-root", content, "--threshold", 1) == "the first root needs --root-key"
    assert (
        refused("new-root", content, "--root-key", tmp_path / "a.pub")
        == "the first root needs --snapshot-key"
    )
    said = refused(
        "new-root", content, "--root-key", tmp_path / "a.pub", "--threshold", 1,
        "--snapshot-key", tmp_path / "a.pub", "--timestamp-key", tmp_path / "b.pub",
    )  # fmt: skip
    assert said == "root and snapshot have the same key: each needs one of its own"
    assert refused("sign", content, "--role", "snapshot", "--key", tmp_path / "a").startswith(
        "trust/root.1.json is missing"
    )


def test_a_threshold_needs_as_many_keys(signed: SignedRegistry) -> None:
    said = refused("new-root", signed.content, "--threshold", 4)

    assert said == "a threshold of 4 needs as many keys of the role root"


def test_a_publisher_signs_its_own_pipelines_and_the_release_key_everything_else(
    content: Path, tmp_path: Path
) -> None:
    registry = sign_registry(content, tmp_path / "keys", publishers=["read"], now=NOON)

    assert set(signed_part(content, "read.1.json")["targets"]) == {
        "registry/pipelines/read-counter/1.9.0/download",
        "registry/pipelines/read-counter/1.10.0/download",
    }
    assert "registry/read-counter" in signed_part(content, "targets.1.json")["targets"]
    assert signed_part(content, "snapshot.1.json")["meta"]["read.json"]["version"] == 1

    drop_oldest_version(content)
    said = refused("sign", content, "--role", "snapshot", "--key", registry.key("snapshot"))
    package = "registry/pipelines/read-counter/1.9.0/download"
    assert said == f"{package} is not covered: the publisher read has not signed it as it is now"
    registry.sign("read", now=NOON)
    registry.publish(now=NOON)

    assert signed_part(content, "snapshot.2.json")["meta"]["read.json"]["version"] == 2
    assert run_check(registry, NOON) == ""


def drop_oldest_version(content: Path) -> None:
    """Take away a version as nobody may who has published; what remains is a content that could be."""
    folder = content / "pipelines"
    shutil.rmtree(folder / "read-counter" / "versions" / "1.9.0")
    for path in (folder / "read-counter" / "entry.json", folder / "published.lock.json"):
        document = json.loads(path.read_bytes())
        if path.name == "entry.json":
            document["versions"] = [row for row in document["versions"] if row["version"] != "1.9.0"]
        else:
            del document["packages"]["read-counter"]["1.9.0"]
        path.write_text(json.dumps(document))


def test_the_release_key_withdraws_a_version_of_a_publisher_who_does_nothing(
    content: Path, tmp_path: Path
) -> None:
    registry = sign_registry(content, tmp_path / "keys", publishers=["read"], now=NOON)
    path = content / "pipelines" / "read-counter" / "entry.json"
    entry = json.loads(path.read_bytes())
    row = next(row for row in entry["versions"] if row["version"] == "1.9.0")
    row |= {"status": "yanked", "yankReason": "Counts the reads of R2 twice."}
    path.write_text(json.dumps(entry))

    registry.publish(now=NOON)

    assert run_check(registry, NOON) == ""
    digest = signed_part(content, "targets.2.json")["targets"]["registry/read-counter"]["hashes"]["sha256"]
    served = json.loads((content / "trust" / "documents" / f"{digest}.json").read_bytes())
    assert [row["status"] for row in served["versions"] if row["version"] == "1.9.0"] == ["yanked"]


def test_a_publisher_whose_time_is_over_stops_nobody_else(content: Path, tmp_path: Path) -> None:
    registry = sign_registry(content, tmp_path / "keys", publishers=["read"], now=NOON)
    registry.publish(now=NOON + 80 * DAY)
    after = NOON + 91 * DAY

    said = run("timestamp", content, "--key", registry.key("timestamp"), now=after)
    signed = run("sign", content, "--role", "snapshot", "--key", registry.key("snapshot"), now=after)

    over = "read expired on 2031-08-02: nobody can install its packages until sign --role read, "
    assert said.splitlines()[1] == f"{over}sign --role snapshot and timestamp"
    assert signed.splitlines()[-1] == said.splitlines()[1]
    assert run_check(registry, after) == "warning: trust: read 1 expired on 2031-08-02\n"
    registry.sign("read", now=after)
    registry.publish(now=after)
    assert run_check(registry, after) == ""


def test_publishers_cannot_own_the_same_pipelines(signed: SignedRegistry) -> None:
    signed.make_key("acme")
    signed.make_key("labs")
    publishers = ("--publisher", f"acme={signed.public_key('acme')}")

    said = refused(
        "new-root", signed.content, *publishers, "--publisher", f"acme-labs={signed.public_key('labs')}"
    )
    assert said == "the pipelines of the publisher acme-labs would belong to acme, too"
    named = refused("new-root", signed.content, "--publisher", f"targets={signed.public_key('acme')}")
    assert named.startswith("'targets' is no name of a publisher")


def test_the_release_key_signs_for_a_publisher_that_is_none_any_more(content: Path, tmp_path: Path) -> None:
    registry = sign_registry(content, tmp_path / "keys", publishers=["read"], now=NOON)

    registry.new_root("--publisher", "read=", now=NOON)
    registry.publish(now=NOON)

    assert "registry/read-counter" in signed_part(content, "targets.2.json")["targets"]
    assert refused("sign", content, "--role", "read", "--key", registry.key("read")).startswith(
        "read signs nothing here"
    )


def test_a_former_publisher_keeps_its_line_in_the_snapshot_and_comes_back_with_a_later_version(
    content: Path, tmp_path: Path
) -> None:
    registry = sign_registry(content, tmp_path / "keys", publishers=["read"], now=NOON)
    line = signed_part(content, "snapshot.1.json")["meta"]["read.json"]
    registry.new_root("--publisher", "read=", now=NOON)
    for day in range(2):
        registry.publish(now=NOON + day * DAY)
        change_catalog(content)
    registry.publish(now=NOON + 2 * DAY)

    assert signed_part(content, "snapshot.4.json")["meta"]["read.json"] == line
    assert run_check(registry, NOON) == ""

    registry.new_root("--publisher", f"read={registry.public_key('read')}", now=NOON)
    registry.sign("read", now=NOON)
    registry.publish(now=NOON)

    assert signed_part(content, "snapshot.5.json")["meta"]["read.json"]["version"] == 2
    assert run_check(registry, NOON) == ""


def run_check(registry: SignedRegistry, now: datetime) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEQFACILITY_REGISTRY_CONTENT", str(registry.content))
        return run("check", now=now)


def failed_check(registry: SignedRegistry, now: datetime) -> str:
    with pytest.raises(AssertionError) as failure:
        run_check(registry, now)
    return str(failure.value)


def test_check_says_when_content_and_signatures_disagree(signed: SignedRegistry) -> None:
    assert run_check(signed, NOON) == ""
    change_catalog(signed.content)

    said = failed_check(signed, NOON)

    assert said == "check: trust: registry/sequencing-tech is not what is signed: sign --role snapshot\n"


def test_check_warns_of_an_expiry_in_days_and_fails_after_it(signed: SignedRegistry) -> None:
    said = run_check(signed, NOON + 5 * DAY)
    assert said == "warning: trust: timestamp 1 expires in 2 days, on 2031-05-11\n"

    assert "trust: timestamp 1 expired on 2031-05-11\n" in failed_check(signed, NOON + 7 * DAY)


def test_check_fails_when_signatures_are_missing_or_documents_have_changed(signed: SignedRegistry) -> None:
    path = signed.content / "trust" / "targets.1.json"
    whole = path.read_bytes()
    targets = json.loads(whole)
    targets["signatures"][0]["sig"] = "00" * 64
    path.write_text(json.dumps(targets))
    assert failed_check(signed, NOON) == "check: trust: targets 1 is not the one that snapshot 1 names\n"

    path.write_bytes(whole)
    next((signed.content / "trust" / "documents").glob("*.json")).write_text("{}")
    assert failed_check(signed, NOON).endswith(".json has changed\n")


def test_check_says_what_waits(signed: SignedRegistry) -> None:
    run("new-root", signed.content, now=NOON)

    said = run_check(signed, NOON)

    assert said == "warning: trust: root 2 has 0 of 2 signatures, and 0 of 2 of the root before\n"


def test_a_timestamp_is_made_for_nothing_that_expired_or_lacks_a_document(signed: SignedRegistry) -> None:
    command = ("timestamp", signed.content, "--key", signed.key("timestamp"))
    assert refused(*command, now=NOON + 91 * DAY) == "snapshot expired on 2031-08-02: sign it again"
    assert refused(*command, "--expires", "2031-05-04") == "--expires has to lie ahead"

    next((signed.content / "trust" / "documents").glob("*.json")).unlink()

    assert refused(*command).endswith(" is missing")


def test_a_timestamp_never_names_a_snapshot_before_the_published_one(signed: SignedRegistry) -> None:
    change_catalog(signed.content)
    signed.publish(now=NOON + DAY)
    before = (signed.content / "trust" / "timestamp.json").read_bytes()
    targets = signed_part(signed.content, "targets.2.json")["targets"]
    name = f"{targets['registry/sequencing-tech']['hashes']['sha256']}.json"
    (signed.content / "trust" / "documents" / name).unlink()
    command = ("timestamp", signed.content, "--key", signed.key("timestamp"))

    said = refused(*command, now=NOON + 2 * DAY)

    assert said == f"registry/sequencing-tech is signed, but trust/documents/{name} is missing"
    assert (signed.content / "trust" / "timestamp.json").read_bytes() == before
    signed.publish(now=NOON + 2 * DAY)  # writes the document again
    assert run_check(signed, NOON + 2 * DAY) == ""
    assert signed_part(signed.content, "timestamp.json")["meta"]["snapshot.json"]["version"] == 2
    (signed.content / "trust" / "snapshot.2.json").unlink()
    assert refused(*command, now=NOON + 2 * DAY) == "trust/snapshot.2.json is missing"


def test_a_timestamp_that_would_have_expired_already_is_not_made(signed: SignedRegistry) -> None:
    old = datetime(2015, 10, 21, tzinfo=UTC)
    command = ("timestamp", signed.content, "--key", signed.key("timestamp"))

    said = refused(*command, now=old)

    assert said == "SOURCE_DATE_EPOCH is 2015-10-21: what is made then has expired; unset it"
    run(*command, "--expires", "2031-05-11", now=old)


def test_what_a_cached_timestamp_leads_to_stays_while_it_may_be_cached(signed: SignedRegistry) -> None:
    for seconds in (10, 50, 130):
        change_catalog(signed.content, f"name {seconds}")
        signed.publish(now=NOON + timedelta(seconds=seconds))

    served = read_publication(signed.content).trust.items()
    assert {f"snapshot.{version}.json" for version in (1, 2, 3, 4)} <= set(served)
    signed.timestamp(now=NOON + timedelta(seconds=251))
    served = read_publication(signed.content).trust.items()
    assert [name for name in served if name.startswith("snapshot.")] == ["snapshot.3.json", "snapshot.4.json"]


def test_a_timestamp_tells_of_a_root_that_waits(signed: SignedRegistry) -> None:
    run("new-root", signed.content, now=NOON)

    said = run("timestamp", signed.content, "--key", signed.key("timestamp"), now=NOON)

    assert said.splitlines()[1] == "root 2 is not published: it waits for its signatures: sign --role root"


def test_who_is_no_role_is_told_the_roles_and_whether_a_root_waits(signed: SignedRegistry) -> None:
    key = signed.make_key("acme")
    command = ("sign", signed.content, "--role", "acme", "--key", key)

    assert refused(*command) == (
        "acme signs nothing here; roles are root, snapshot (new-root --publisher adds one)"
    )
    run("new-root", signed.content, "--publisher", f"acme={signed.public_key('acme')}", now=NOON)
    assert refused(*command) == (
        "acme signs from root 2 on, which waits for its signatures: sign --role root"
    )


def test_a_second_release_key_adds_nothing_to_what_is_signed_already(signed: SignedRegistry) -> None:
    signed.make_key("second")
    keys = (signed.public_key("snapshot"), signed.public_key("second"))
    signed.new_root("--snapshot-key", *keys, now=NOON)
    change_catalog(signed.content)
    signed.sign(now=NOON)
    before = files_of(signed.content)

    run("sign", signed.content, "--role", "snapshot", "--key", signed.key("second"), now=NOON + DAY)

    assert files_of(signed.content) == before


def test_check_counts_the_signatures_that_a_role_needs(signed: SignedRegistry) -> None:
    signed.make_key("new-timestamp")
    signed.new_root("--timestamp-key", signed.public_key("new-timestamp"), now=NOON)

    assert failed_check(signed, NOON) == "check: trust: timestamp 1: 0 of 1 signatures that it needs\n"
