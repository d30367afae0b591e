"""Mirrors of a signed registry: each lie is found, and what is pulled is what was signed."""

import json
import os
import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from seqfacility_registry.cli import main
from seqfacility_registry.conformance.mirror import Failed, open_mirror
from seqfacility_registry.conformance.report import Outcome
from seqfacility_registry.conformance.signed import check_documents, check_views, read_signed_side
from seqfacility_registry.conformance.verify import verify_mirror
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.export import export
from seqfacility_testkit.nginx import DEBIAN_PACKAGE, find_nginx, free_port, serving_export
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.signed_registry import SignedRegistry, run, sign_registry

PUBLIC_URL = "http://mirror.example/api"
Serve = Callable[[Path], str]


@pytest.fixture
def signed(content: Path, tmp_path: Path) -> SignedRegistry:
    return sign_registry(content, tmp_path / "keys", publishers=["read"])


@pytest.fixture
def mirror(signed: SignedRegistry, tmp_path: Path) -> Path:
    return export_to(tmp_path / "mirror", signed.content)


def export_to(folder: Path, content: Path) -> Path:
    export(read_publication(content), PUBLIC_URL, folder)
    return folder


def change_catalog(content: Path) -> None:
    path = content / "catalog" / "sequencing-tech.json"
    catalog = json.loads(path.read_bytes())
    path.write_text(json.dumps(catalog | {"version": catalog["version"] + 1}))


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def examined(url: str, registry: SignedRegistry) -> str:
    """Examine the signed side of a host; return what is wrong, empty when nothing is."""
    host = open_mirror(url)
    try:
        side = read_signed_side(host, registry.root_file.read_bytes())
        check_documents(host, side)
        check_views(host, side)
    except Failed as failed:
        return str(failed)
    return ""


def failures(url: str, registry: SignedRegistry) -> list[tuple[str, str]]:
    report = verify_mirror(url, None, registry.root_file.read_bytes())
    assert len(report.results) == 48
    return [(row.name, row.detail) for row in report.results if row.outcome is Outcome.FAIL]


def test_a_plain_mirror_of_a_signed_registry_verifies(
    mirror: Path, signed: SignedRegistry, serve_folder: Serve
) -> None:
    assert failures(serve_folder(mirror), signed) == []


def test_the_service_over_a_signed_content_verifies(
    signed: SignedRegistry, tmp_path: Path, kept_secrets: Path
) -> None:
    processes = Processes(tmp_path / "logs")
    environment = {
        "SEQFACILITY_REGISTRY_CONTENT": str(signed.content),
        "SEQFACILITY_REGISTRY_SECRETS": str(kept_secrets),
        "SEQFACILITY_REGISTRY_PUBLIC_URL": "",
    }
    command = ("serve", "--bind", "127.0.0.1:0")
    service = processes.start("seqfacility_registry", *command, environment=environment)
    try:
        assert failures(service.url(), signed) == []
    finally:
        processes.stop_all()


def test_nginx_sends_the_signed_side_as_the_service_does(
    mirror: Path, signed: SignedRegistry, tmp_path: Path, start: Callable[[], Any]
) -> None:
    binary = find_nginx()
    if binary is None:
        pytest.skip(f"needs nginx: apt-get install {DEBIAN_PACKAGE}")
    service = start()
    with serving_export(binary, mirror, tmp_path, free_port()) as address:
        assert failures(address, signed) == []
        host = open_mirror(address)
        paths = [
            f"/trust/{path.relative_to(mirror / 'api/trust')}" for path in (mirror / "api/trust").rglob("*")
        ]
        for path in [*paths, "/trust/root.2.json", "/trust/documents/nothing"]:
            served, mirrored = service.get(path), host.ask(path)
            assert (path, mirrored.status) == (path, served.status_code)
            for name in ("cache-control", "content-type"):
                assert (path, mirrored.headers.get(name)) == (path, served.headers.get(name))


def test_two_people_export_the_same_bytes(signed: SignedRegistry, tmp_path: Path) -> None:
    shutil.copytree(signed.content, tmp_path / "copy")

    one, two = export_to(tmp_path / "one", signed.content), export_to(tmp_path / "two", tmp_path / "copy")

    assert tree(one) == tree(two)


def test_every_document_that_is_changed_at_its_path_is_found(
    mirror: Path, signed: SignedRegistry, serve_folder: Serve
) -> None:
    url = serve_folder(mirror)
    documents = [path for path in mirror.glob("api/**/index.json") if "health" not in path.parts]
    for path in [*documents, *mirror.glob("images/*/*")]:
        whole = path.read_bytes()
        path.write_bytes(with_a_changed_leaf(whole) if path.suffix == ".json" else whole + b" ")
        name = str(path.relative_to(mirror)).removesuffix("/index.json").removeprefix("api/")

        assert f"GET /{name}: is not what is signed" in examined(url, signed)
        path.write_bytes(whole)
    assert examined(url, signed) == ""


def with_a_changed_leaf(whole: bytes) -> bytes:
    """Change the last text or number of a JSON document, deep inside."""
    document = json.loads(whole)
    place: Any = document
    while True:
        key = list(place)[-1] if isinstance(place, dict) else len(place) - 1
        if not place[key] or not isinstance(place[key], dict | list):
            break
        place = place[key]
    place[key] = "changed"
    return json.dumps(document).encode()


def test_links_to_another_host_in_one_document_are_found(
    mirror: Path, signed: SignedRegistry, serve_folder: Serve
) -> None:
    path = mirror / "api/registry/read-counter/index.json"
    path.write_text(path.read_text().replace(PUBLIC_URL, "http://evil.example/api"))

    assert examined(serve_folder(mirror), signed) == "GET /registry/read-counter: is not what is signed"


def test_every_document_that_is_changed_by_its_digest_is_found(
    mirror: Path, signed: SignedRegistry, serve_folder: Serve
) -> None:
    url = serve_folder(mirror)
    for path in (mirror / "api/trust/documents").iterdir():
        whole = path.read_bytes()
        path.write_bytes(whole + b" ")
        assert f"GET /trust/documents/{path.name}: is not " in examined(url, signed)
        path.write_bytes(whole)
    path.unlink()
    assert f"GET /trust/documents/{path.name}: status 404" in examined(url, signed)


def test_every_metadata_file_that_is_changed_is_found(
    mirror: Path, signed: SignedRegistry, serve_folder: Serve
) -> None:
    url = serve_folder(mirror)
    for path in (mirror / "api/trust").glob("*.json"):
        if path.name == "root.1.json":
            continue  # is known already
        whole = path.read_bytes()
        metadata = json.loads(whole)
        metadata["signed"]["expires"] = "2099-01-01T00:00:00Z"
        path.write_text(json.dumps(metadata))
        assert examined(url, signed), path.name
        path.write_bytes(whole)


@pytest.mark.parametrize(
    "nonsense", [b"", b"[]", b"{", b"null", b"\xff", b"[" * 100_000, b'{"signed": {}, "signatures": []}']
)
def test_metadata_that_is_nonsense_is_told_in_words(
    mirror: Path, signed: SignedRegistry, serve_folder: Serve, nonsense: bytes
) -> None:
    url = serve_folder(mirror)
    (mirror / "api/trust/root.2.json").write_bytes(nonsense)
    assert examined(url, signed)
    (mirror / "api/trust/root.2.json").unlink()

    (mirror / "api/trust/timestamp.json").write_bytes(nonsense)
    assert examined(url, signed)


def test_a_mirror_whose_timestamp_expired_is_found(
    content: Path, tmp_path: Path, serve_folder: Serve
) -> None:
    registry, now = sign_registry(content, tmp_path / "keys"), datetime.now(UTC)
    registry.timestamp("--expires", f"{now - timedelta(days=1):%Y-%m-%d}", now=now - timedelta(days=8))

    said = examined(serve_folder(export_to(tmp_path / "mirror", content)), registry)

    assert said.startswith("it has expired: ")


def test_a_mirror_signed_by_others_is_found(
    mirror: Path, signed: SignedRegistry, tmp_path: Path, write_content: Any, serve_folder: Serve
) -> None:
    others = sign_registry(write_content(tmp_path / "theirs"), tmp_path / "their-keys")

    assert examined(serve_folder(mirror), others).startswith("a signature is not valid: ")


def test_an_old_snapshot_beside_a_new_timestamp_is_found(
    mirror: Path, signed: SignedRegistry, tmp_path: Path, serve_folder: Serve
) -> None:
    change_catalog(signed.content)
    signed.publish()
    newer = export_to(tmp_path / "newer", signed.content)

    shutil.copy(mirror / "api/trust/snapshot.1.json", newer / "api/trust/snapshot.2.json")

    assert examined(serve_folder(newer), signed) != ""


def test_another_file_of_the_same_version_by_a_thief_of_one_key_is_found(
    signed: SignedRegistry, tmp_path: Path, serve_folder: Serve
) -> None:
    theirs = SignedRegistry(tmp_path / "theirs", signed.keys)
    shutil.copytree(signed.content, theirs.content)
    change_catalog(theirs.content)
    for registry in (signed, theirs):
        change_catalog(registry.content)
        registry.publish()
    true, false = export_to(tmp_path / "true", signed.content), theirs.content / "trust" / "targets.2.json"
    assert (true / "api/trust/targets.2.json").read_bytes() != false.read_bytes()

    shutil.copy(false, true / "api/trust/targets.2.json")

    assert examined(serve_folder(true), signed).startswith("a file is not the one that is named: ")


def test_a_client_that_knows_the_first_root_alone_follows_the_rotation(
    signed: SignedRegistry, tmp_path: Path, serve_folder: Serve
) -> None:
    for name in ("root-d", "root-e", "new-timestamp"):
        signed.make_key(name)
    keys = [signed.public_key(name) for name in ("root-c", "root-d", "root-e")]
    signed.new_root("--root-key", *keys, by=("root-a", "root-b", "root-d", "root-e"))
    signed.new_root("--timestamp-key", signed.public_key("new-timestamp"), by=("root-d", "root-e"))
    run("timestamp", signed.content, "--key", signed.key("new-timestamp"))

    assert examined(serve_folder(export_to(tmp_path / "mirror", signed.content)), signed) == ""


def test_an_unsigned_mirror_is_found(
    tmp_path: Path, content: Path, signed: SignedRegistry, serve_folder: Serve
) -> None:
    root = signed.root_file.read_bytes()
    shutil.rmtree(content / "trust")
    mirror = export_to(tmp_path / "mirror", content)

    report = verify_mirror(serve_folder(mirror), None, root)

    assert [(row.name, row.detail) for row in report.results if row.outcome is Outcome.FAIL] == [
        ("the root leads to the signed documents", "GET /trust/timestamp.json: status 404")
    ]


def test_a_content_that_is_not_what_is_signed_is_not_exported(
    signed: SignedRegistry,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SEQFACILITY_REGISTRY_CONTENT", str(signed.content))
    change_catalog(signed.content)

    assert main(["export", str(tmp_path / "mirror")]) == 1
    assert capsys.readouterr().err == (
        "error: trust: registry/sequencing-tech is not what is signed: sign --role snapshot (see check)\n"
    )
    assert not (tmp_path / "mirror").exists()


def pulled(url: str, place: Path, registry: SignedRegistry) -> str:
    return run("pull", url, place, "--root", registry.root_file, "--public-url", PUBLIC_URL)


def test_a_pulled_mirror_is_the_export_to_the_byte_and_verifies_again(
    mirror: Path, signed: SignedRegistry, tmp_path: Path, serve_folder: Serve
) -> None:
    said = pulled(serve_folder(mirror), tmp_path / "pulled", signed)

    assert (
        said
        == f"{len(tree(mirror))} files below {tmp_path / 'pulled'}, all verified, links to {PUBLIC_URL}\n"
    )
    assert tree(tmp_path / "pulled") == tree(mirror)
    times = [
        {path: (folder / path).stat().st_mtime for path in tree(mirror)}
        for folder in (mirror, tmp_path / "pulled")
    ]
    assert times[0] == times[1]
    assert failures(serve_folder(tmp_path / "pulled"), signed) == []


def test_a_publisher_whose_time_is_over_is_mirrored_with_a_warning(
    content: Path, tmp_path: Path, serve_folder: Serve
) -> None:
    registry = sign_registry(content, tmp_path / "keys")
    registry.make_key("read")
    registry.new_root("--publisher", f"read={registry.public_key('read')}")
    registry.sign("read", now=datetime.now(UTC) - timedelta(days=100))
    registry.publish()
    url = serve_folder(export_to(tmp_path / "mirror", content))

    run("pull", url, tmp_path / "pulled", "--root", registry.root_file, "--public-url", PUBLIC_URL)
    report = verify_mirror(url, None, registry.root_file.read_bytes())

    assert [row.detail for row in report.results if row.outcome is Outcome.FAIL] == []
    assert any("read expired on " in row.detail for row in report.results if row.outcome is Outcome.WARN)
    assert (tmp_path / "pulled/api/registry/pipelines/read-counter/1.9.0/download/index.json").is_file()


def test_what_a_host_lies_about_at_its_paths_is_never_pulled(
    mirror: Path, signed: SignedRegistry, tmp_path: Path, serve_folder: Serve
) -> None:
    whole = tree(mirror)
    for path in mirror.glob("api/registry/**/index.json"):
        if path.parent.name != "mixs":
            path.write_text("{}")

    pulled(serve_folder(mirror), tmp_path / "pulled", signed)

    assert tree(tmp_path / "pulled") == whole


def test_a_mirror_that_does_not_verify_leaves_the_copy_as_it_was(
    mirror: Path, signed: SignedRegistry, tmp_path: Path, serve_folder: Serve
) -> None:
    url, place = serve_folder(mirror), tmp_path / "pulled"
    pulled(url, place, signed)
    before = tree(place)
    next((mirror / "api/trust/documents").glob("*.json")).write_text("{}")

    with pytest.raises(AssertionError, match="as it is signed"):
        pulled(url, place, signed)

    assert tree(place) == before
    assert len(list(tmp_path.glob(".pulled.*"))) == 1


def test_a_copy_never_goes_back_and_keeps_the_publication_before(
    mirror: Path, signed: SignedRegistry, tmp_path: Path, serve_folder: Serve
) -> None:
    place = tmp_path / "pulled"
    pulled(serve_folder(mirror), place, signed)
    change_catalog(signed.content)
    signed.publish()
    newer = export_to(tmp_path / "newer", signed.content)

    pulled(serve_folder(newer), place, signed)
    assert tree(place) == tree(newer)
    assert "api/trust/snapshot.1.json" in tree(place)

    with pytest.raises(AssertionError, match="it is older than what was seen"):
        pulled(serve_folder(mirror), place, signed)
    assert tree(place) == tree(newer)


def test_pull_keeps_the_folder_before_for_its_readers_and_removes_what_is_older(
    mirror: Path, signed: SignedRegistry, tmp_path: Path, serve_folder: Serve
) -> None:
    url, place = serve_folder(mirror), tmp_path / "copies" / "pulled"
    place.parent.mkdir()
    ours = {number: f".pulled.pull-{number:016x}" for number in (1, 2, 3)}
    others = {".pulled.backup", ".pulled.pull-2031", ".pulled-too.pull-0000000000000001"}
    (place.parent / f"{ours[2]}.link").symlink_to(ours[2])
    for name in (*ours.values(), *others):
        (place.parent / name / "api").mkdir(parents=True)
    long_ago = time.time() - 2 * 3600
    for path in place.parent.iterdir():
        if path.name != ours[3]:  # another pull may be writing it
            os.utime(path, (long_ago, long_ago), follow_symlinks=False)
    place.symlink_to(ours[1])

    pulled(url, place, signed)

    left = {path.name for path in place.parent.iterdir()} - {place.name, place.readlink().name}
    assert left == {ours[1], ours[3], *others}
    assert tree(place) == tree(mirror)


def test_pull_writes_over_no_folder_of_somebody_else(
    mirror: Path, signed: SignedRegistry, tmp_path: Path, serve_folder: Serve
) -> None:
    (tmp_path / "mine").mkdir()

    with pytest.raises(AssertionError, match="exists and is not a link that pull has made"):
        pulled(serve_folder(mirror), tmp_path / "mine", signed)
