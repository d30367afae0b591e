"""What an examination found, for people, for machines, and for the next examination."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any


class Outcome(StrEnum):
    """What became of a case. Decision: G266."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Result:
    """One case and its outcome; `detail` is empty when it is kept."""

    name: str
    outcome: Outcome
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Versions:
    """What may only grow: version numbers, and digests of what is published under a version.

    `packages` has the digest of each package by pipeline and version. `documents` has the version and the
    digest of each other document that has one, a checklist as `checklists/<accession>`; links are left out,
    since each mirror has its own. `signed` has the versions of root, timestamp and snapshot, where a root was
    given. Decision: G446, G1110.
    """

    catalog: int | None = None
    checklists: int | None = None
    release: str | None = None
    packages: Mapping[str, Mapping[str, str]] | None = None
    documents: Mapping[str, Mapping[str, str]] | None = None
    signed: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """All results of one examination."""

    url: str
    is_static: bool
    results: Sequence[Result]
    versions: Versions

    @property
    def passed(self) -> bool:
        """Return whether no case failed."""
        return all(result.outcome is not Outcome.FAIL for result in self.results)

    def text(self) -> str:
        """Write one line a case: `ok`, `warn`, `fail` or `skip`, then what and why. Decision: G266, G445."""
        return "\n".join(
            f"{result.outcome:<4} {result.name}" + (f": {result.detail}" if result.detail else "")
            for result in self.results
        )

    def verdict(self) -> str:
        """Sum up in one line."""
        counts = [f"{sum(row.outcome is kind for row in self.results)} {kind}" for kind in Outcome]
        kind = "static mirror" if self.is_static else "service"
        return f"{self.url} ({kind}): {', '.join(counts)}"


def report_document(report: Report) -> dict[str, Any]:
    """Write a report as a document that `read_report` reads again."""
    return {
        "url": report.url,
        "static": report.is_static,
        "passed": report.passed,
        "results": [
            {"name": row.name, "outcome": row.outcome.value, "detail": row.detail} for row in report.results
        ],
        "versions": {
            "catalog": report.versions.catalog,
            "checklists": report.versions.checklists,
            "release": report.versions.release,
            "packages": report.versions.packages,
            "documents": report.versions.documents,
            "signed": report.versions.signed,
        },
    }


def read_report(path: Path) -> Versions:
    """Read the versions of a previous report; raises `ValueError` when the file is none."""
    try:
        versions = json.loads(path.read_text("utf-8"))["versions"]
        return Versions(
            versions["catalog"],
            versions["checklists"],
            versions["release"],
            versions["packages"],
            versions.get("documents"),
            versions.get("signed"),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise ValueError(f"{path} is no report of verify-mirror --json") from wrong
