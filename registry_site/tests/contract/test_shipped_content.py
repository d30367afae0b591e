"""What we publish ourselves is sound, and is served as a registry."""

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
