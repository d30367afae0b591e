"""Copies by programs that everybody has: the same files, and a registry that verifies."""

import json
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
import requests
from seqfacility_registry.conformance.verify import verify_mirror
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.export import export, exported_files
from seqfacility_registry.pages.site import FILES_PAGE
from seqfacility_registry.web_root import Layout
from seqfacility_testkit.file_servers import SERVERS
from seqfacility_testkit.signed_registry import SignedRegistry, run, sign_registry

PUBLIC_URL = "http://mirror.example/api"
Serve = Callable[[Path], str]

COPIERS: Mapping[str, Sequence[str]] = {
    "cp": ("cp", "-r", "{source}/.", "{target}"),
    "rclone": ("rclone", "--config", "/dev/null", "copy", "--checksum", "{source}", "{target}"),
    "rsync": ("rsync", "-r", "{source}/", "{target}"),
}


@pytest.fixture
def signed(content: Path, tmp_path: Path) -> SignedRegistry:
    return sign_registry(content, tmp_path / "keys")


def exported(signed: SignedRegistry, folder: Path, layout: Layout) -> Path:
    export(read_publication(signed.content), PUBLIC_URL, folder, layout)
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def follow_links(address: str, folder: Path) -> None:
    """Copy a host as anybody would."""
    command = ["wget", "--quiet", "--recursive", "--level=inf", "--no-host-directories", f"{address}/"]
    status = subprocess.run(command, cwd=folder, check=False).returncode
    assert status in {0, 8}  # 8: something was refused, robots.txt for example


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "copy"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("server", SERVERS)
def test_whoever_follows_the_links_of_a_server_has_the_whole_mirror(
    signed: SignedRegistry, tmp_path: Path, copy: Path, serve_with: Callable[[str, Path], str], server: str
) -> None:
    root = exported(signed, tmp_path / "root", Layout.INDEX)

    follow_links(serve_with(server, root), copy)

    kept_back = {"server/Caddyfile"} if server == "caddy" else set()
    assert tree(copy) == {name: content for name, content in tree(root).items() if name not in kept_back}
    if server == "nginx":
        assert verify_mirror(serve_with(server, copy), None, signed.root_file.read_bytes()).passed


@pytest.mark.parametrize("layout", Layout)
def test_whoever_follows_the_links_of_a_host_of_files_has_the_whole_mirror(
    signed: SignedRegistry,
    tmp_path: Path,
    copy: Path,
    serve_folder: Serve,
    serve_plainly: Serve,
    layout: Layout,
) -> None:
    serve = serve_folder if layout is Layout.INDEX else serve_plainly
    root = exported(signed, tmp_path / "root", layout)

    follow_links(serve(root), copy)

    assert tree(copy) == tree(root)
    assert verify_mirror(serve(copy), None, signed.root_file.read_bytes()).passed


def test_whoever_follows_the_links_of_a_service_has_the_whole_registry(
    signed: SignedRegistry, tmp_path: Path, copy: Path, serve_content: Serve
) -> None:
    address = serve_content(signed.content).removesuffix("/api")
    wanted = exported_files(read_publication(signed.content), f"{address}/api")

    follow_links(address, copy)

    copied = tree(copy)
    assert copied.pop(FILES_PAGE)
    assert copied == {
        name: body for name, body in wanted.items() if name != FILES_PAGE and not name.startswith("server/")
    }


@pytest.mark.parametrize("copier", [name for name in COPIERS if shutil.which(name)])
def test_a_copied_folder_is_the_same_mirror(
    signed: SignedRegistry, tmp_path: Path, copy: Path, serve_plainly: Serve, copier: str
) -> None:
    root = exported(signed, tmp_path / "root", Layout.PLAIN)

    subprocess.run([word.format(source=root, target=copy) for word in COPIERS[copier]], check=True)

    assert tree(copy) == tree(root)
    assert verify_mirror(serve_plainly(copy), None, signed.root_file.read_bytes()).passed


def test_the_list_is_enough_to_copy_and_to_compare(
    signed: SignedRegistry, tmp_path: Path, copy: Path, serve_plainly: Serve
) -> None:
    root = exported(signed, tmp_path / "root", Layout.PLAIN)
    address = serve_plainly(root)
    rows = requests.get(f"{address}/api/files.json", timeout=60).json()["files"]

    jobs = "".join(f"{address}/{row['path']}\n  out={row['path']}\n" for row in rows)
    command = ["aria2c", "--quiet", "--no-conf", "--input-file=-", f"--dir={copy}"]
    subprocess.run(command, input=jobs, text=True, check=True)

    sums = "".join(f"{row['sha256']}  {row['path']}\n" for row in rows)
    compared = ["sha256sum", "--check", "--strict", "--quiet"]
    subprocess.run(compared, cwd=copy, input=sums, text=True, check=True)
    next(copy.glob("images/*/*")).write_text("another drawing")
    with pytest.raises(subprocess.CalledProcessError):
        subprocess.run(compared, cwd=copy, input=sums, text=True, check=True, capture_output=True)


@pytest.mark.parametrize("layout", Layout)
def test_what_is_pulled_in_a_layout_is_the_export_in_that_layout(
    signed: SignedRegistry, tmp_path: Path, serve_plainly: Serve, layout: Layout
) -> None:
    address = serve_plainly(exported(signed, tmp_path / "plain", Layout.PLAIN))
    options = ("--root", signed.root_file, "--public-url", PUBLIC_URL, "--layout", layout.value)

    run("pull", address, tmp_path / "pulled", *options)

    assert tree(tmp_path / "pulled") == tree(exported(signed, tmp_path / "wanted", layout))


@pytest.mark.parametrize("layout", Layout)
def test_what_two_people_export_is_equal_and_each_verifies_the_others(
    signed: SignedRegistry,
    tmp_path: Path,
    serve_folder: Serve,
    serve_plainly: Serve,
    layout: Layout,
) -> None:
    other = SignedRegistry(tmp_path / "theirs", signed.keys)
    shutil.copytree(signed.content, other.content)
    ours, theirs = (exported(one, tmp_path / name, layout) for one, name in ((signed, "a"), (other, "b")))

    assert tree(ours) == tree(theirs)
    serve = serve_folder if layout is Layout.INDEX else serve_plainly
    for root, known in ((ours, other), (theirs, signed)):
        assert verify_mirror(serve(root), None, known.root_file.read_bytes()).passed


def test_a_file_that_a_copy_lacks_is_named(
    signed: SignedRegistry, tmp_path: Path, serve_plainly: Serve
) -> None:
    root = exported(signed, tmp_path / "root", Layout.PLAIN)
    rows = json.loads((root / "api/files.json").read_bytes())["files"]
    address = serve_plainly(root)
    for row in rows[:: len(rows) // 7]:
        whole = (root / row["path"]).read_bytes()
        (root / row["path"]).unlink()

        failed = [one for one in verify_mirror(address, None).results if one.outcome == "fail"]

        place = row["path"].removesuffix("/index.html").removeprefix("api")
        assert place in " ".join(one.detail for one in failed), row["path"]
        (root / row["path"]).write_bytes(whole)
