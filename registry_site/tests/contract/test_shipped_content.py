"""What we publish ourselves is sound, and is served as a registry."""

import gzip
from pathlib import Path

from seqfacility_registry.check import content_problems
from seqfacility_registry.conformance.report import Outcome
from seqfacility_registry.conformance.verify import MONOTONIC, verify_mirror
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.export import exported_files
from seqfacility_registry.settings import shipped_content
from seqfacility_testkit.processes import Processes

NOT_IN_THE_SHIPPED_CONTENT = {
    "private pipelines have no download",
    "a profile is not resolved without its code",
}

FIRST_VISIT_BYTES = 150_000
SCRIPT_BYTES, STYLE_BYTES = 45_000, 14_000


def test_the_shipped_content_passes_its_check() -> None:
    assert content_problems(shipped_content()) == []


def test_the_shipped_content_keeps_the_contract_when_it_is_served(
    processes: Processes, kept_secrets: Path
) -> None:
    environment = {
        "SEQFACILITY_REGISTRY_CONTENT": str(shipped_content()),
        "SEQFACILITY_REGISTRY_SECRETS": str(kept_secrets),
        "SEQFACILITY_REGISTRY_PUBLIC_URL": "",
    }
    process = processes.start(
        "seqfacility_registry", "serve", "--bind", "127.0.0.1:0", environment=environment
    )

    report = verify_mirror(process.url(), None)

    assert [row for row in report.results if row.outcome is Outcome.FAIL] == []
    assert {row.name for row in report.results if row.outcome is Outcome.SKIP} == {
        MONOTONIC,
        *NOT_IN_THE_SHIPPED_CONTENT,
    }


def test_two_exports_of_the_shipped_content_are_equal() -> None:
    one, two = (
        dict(exported_files(read_publication(shipped_content()), "https://r.example/api")) for _ in "ab"
    )

    assert one == two


def test_the_drawings_of_catalog_and_checklists_are_exported() -> None:
    files = dict(exported_files(read_publication(shipped_content()), "https://r.example/api"))

    for shelf in ("catalog", "checklists"):
        assert [path for path in files if path.startswith(f"images/{shelf}/")]


def test_a_first_visit_to_any_page_is_small() -> None:
    files = dict(exported_files(read_publication(shipped_content()), "https://r.example/api"))
    sent = {
        path: len(gzip.compress(body, 6))
        for path, body in files.items()
        if not path.startswith(("api/", "ga4gh/", "images/", "server/"))
    }

    assert sent["look/registry.js"] <= SCRIPT_BYTES
    assert sent["look/registry.css"] <= STYLE_BYTES
    beside = sent["look/registry.js"] + sent["look/registry.css"] + sent["search.json"]
    pages = {path: length + beside for path, length in sent.items() if path.endswith(".html")}
    assert len(pages) > 140
    assert {path: length for path, length in pages.items() if length > FIRST_VISIT_BYTES} == {}
