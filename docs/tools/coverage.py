"""Write docs/coverage.md from docs/figures/coverage.json, which `nox -s coverage` makes anew before.

A file that `tox --result-json FILE` has written may be named too: its durations are those of the page.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, TypedDict

DOCS = Path(__file__).parents[1]
FIGURES = DOCS / "figures" / "coverage.json"
DURATIONS = DOCS / "figures" / "tox.json"
DISTRIBUTIONS = (
    "schemas",
    "packages/transfer_client",
    "packages/wire",
    "packages/pipeline_package",
    "packages/workflow_runtime",
    "registry_site",
    "instance",
)

HEAD = """# Branch coverage

How many of the ways that a line can lead to the next were gone by the fast suites (unit, property, contract,
API), measured by `nox -s coverage`, which also wrote this page. What only a process of its own runs is not
seen from here: crash, race and end-to-end suites are not counted, nor are the test kit and the content of
the registry.

| Distribution | Branches | Taken | Share |
|---|---:|---:|---:|
"""
RULES = """
## Rules

Modules that decide, without web or database: files named after rules or publishing checks, and folders
named `rules`. The session fails as soon as one of them has a line or a branch that no test reaches.

| Module | Branches | Taken | Lines missed |
|---|---:|---:|---:|
"""
TIME = """
## Time

Minutes of each environment of `tox`, on two cores, everything installed;
{measured}. One after the other they leave half of two cores idle, for
`e2e` and `faults` mostly wait; so plain `tox` runs three at a time, the longest first.

| Environment | Minutes | Where they go |
|---|---:|---|
"""
TIME_GOES_TO = {
    "browser": "14 minutes of CPU, two thirds of them in Chromium: pages loaded, laid out, looked at by axe",
    "e2e": "waits: schedulers that look once a second, starts of Snakemake (2 s of CPU each), browsers",
    "faults": "starts of a server (1 s of CPU each), waits for clients that stall and processes that die",
    "postgres": "the requests of `api`; the rows of its one database are put back before each test",
    "contract": "generated requests to real servers, and the check of every answer against its schema",
    "api": "a facility opened for each of 3,100 tests (0.03 s of CPU each), and their requests",
    "unit": "property tests: mostly a hundred examples each",
    "types": "mypy, which keeps what it found in a folder",
    "isolation": "six builds and six installations",
    "docs": "the commands of the pages, from a clone to a delivery; each page of the guide in Chromium",
    "lint": "the graph of all imports",
}
"""What an engineer who wants it faster would look at first."""


class Summary(TypedDict):
    """What coverage.py counts in a file."""

    num_branches: int
    covered_branches: int
    missing_lines: int


class Measured(TypedDict):
    """One file of the report of coverage.py."""

    summary: Summary


class Figure(TypedDict):
    """The branches of a distribution or a module, and the lines of it that nothing ran."""

    name: str
    branches: int
    taken: int
    missed: int


class Figures(TypedDict):
    """What docs/figures/coverage.json holds."""

    distributions: list[Figure]
    rules: list[Figure]


def is_rule(path: str) -> bool:
    """Return whether a module only decides, by its name or its folder's."""
    place = PurePosixPath(path)
    return (
        "rules" in place.stem.split("_") or place.stem == "publishing_checks" or place.parent.name == "rules"
    )


def figure(name: str, summaries: list[Summary]) -> Figure:
    """Add up what was measured under one name."""
    return Figure(
        name=name,
        branches=sum(summary["num_branches"] for summary in summaries),
        taken=sum(summary["covered_branches"] for summary in summaries),
        missed=sum(summary["missing_lines"] for summary in summaries),
    )


def figures(files: Mapping[str, Measured]) -> Figures:
    """Condense a report of coverage.py; a rule module without a branch counts for its lines."""
    by_distribution = {
        name: [found["summary"] for path, found in files.items() if path.startswith(f"{name}/")]
        for name in DISTRIBUTIONS
    }
    rules = {path: [found["summary"]] for path, found in sorted(files.items()) if is_rule(path)}
    return Figures(
        distributions=[figure(name, found) for name, found in by_distribution.items()],
        rules=[figure(name, found) for name, found in rules.items() if not name.endswith("__init__.py")],
    )


class Durations(TypedDict):
    """What docs/figures/tox.json holds."""

    measured: str
    minutes: dict[str, float]


def durations(result: Mapping[str, Any]) -> Durations:
    """Take the durations from a result of tox in which all environments ran."""
    seconds = {name: found["result"]["duration"] for name, found in result["testenvs"].items()}
    return Durations(
        measured="three environments at a time",
        minutes={name: round(seconds[name] / 60, 1) for name in TIME_GOES_TO},
    )


def share(row: Figure) -> str:
    """Return how much of the branches was taken; a share is never rounded up to the whole."""
    return f"{1000 * row['taken'] // row['branches'] / 10:.1f} %" if row["branches"] else ""


def unreached(rules: list[Figure]) -> list[str]:
    """Name the rule modules of which a line or a branch was not reached."""
    return [row["name"] for row in rules if row["missed"] or row["taken"] < row["branches"]]


def page() -> str:
    """Return the whole page."""
    found: Figures = json.loads(FIGURES.read_text("utf-8"))
    took: Durations = json.loads(DURATIONS.read_text("utf-8"))
    rows = [*found["distributions"]]
    total = Figure(
        name="**all**",
        branches=sum(row["branches"] for row in rows),
        taken=sum(row["taken"] for row in rows),
        missed=sum(row["missed"] for row in rows),
    )
    return (
        HEAD
        + "".join(f"| {r['name']} | {r['branches']} | {r['taken']} | {share(r)} |\n" for r in [*rows, total])
        + RULES
        + "".join(
            f"| `{r['name']}` | {r['branches']} | {r['taken']} | {r['missed']} |\n" for r in found["rules"]
        )
        + TIME.format(measured=took["measured"])
        + "".join(
            f"| `{name}` | {minutes} | {TIME_GOES_TO[name]} |\n" for name, minutes in took["minutes"].items()
        )
    )


def main(reports: list[str]) -> None:
    """Take in a new report where one is named, write the page, and fail for a rule that is not proven."""
    for report in reports:
        read = json.loads(Path(report).read_text("utf-8"))
        file, found = (
            (DURATIONS, durations(read)) if "testenvs" in read else (FIGURES, figures(read["files"]))
        )
        file.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    (DOCS / "coverage.md").write_text(page(), "utf-8")
    rules: list[Figure] = json.loads(FIGURES.read_text("utf-8"))["rules"]
    if unproven := unreached(rules):
        sys.exit("not every line and branch of these rules is reached: " + ", ".join(unproven))


if __name__ == "__main__":
    main(sys.argv[1:])
