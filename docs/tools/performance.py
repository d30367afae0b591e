"""Write docs/performance.md from the figures that `nox -s bench` left in docs/figures/."""

import json
import operator
from pathlib import Path

DOCS = Path(__file__).parents[1]
BOUNDS = {"<=": operator.le, ">=": operator.ge}

HEAD = """# Performance

Ratios beside peers of the same run, measured by `nox -s bench`, which also wrote this page. Above 1 means
that the figure named is larger than the peer's: for a time or a cost smaller is better, for a speed larger.
Absolute figures are not given: they say more about a machine than about the software.
"""

NOTES = {
    "registry": """Small documents and 304s have no target beside nginx: what a request costs there is Python,
and who needs more serves the [static export](mirrors.md) with nginx itself, or lets it keep the answers.""",
    "transfer": """Small ranges have no target beside nginx: with `SEQFACILITY_ACCEL_PREFIX`
([nginx](how_to/serve_behind_nginx.md)) the service decides who may have a file, and nginx sends it.""",
    "uploads": """Browser, command and service share two cores. The page sent 148 MiB a second here, which is
more than a line of one gigabit carries; the way of a chunk through the browser's processes is its limit. The
command without options hashes nothing, unlike the page, so that row has no target.""",
    "web": """Sizes are exact and beside their budgets. Times are taken with the processor slowed to a
quarter; beside a static page of the same text they have no target, because that one asks nobody.""",
}
"""What a reader of a table has to know of what it leaves without a target."""


def verdict(ratio: float, target: str) -> str:
    """Return whether a ratio keeps its target; nothing where none is set."""
    if not target:
        return ""
    bound, limit = target.split()
    return "yes" if BOUNDS[bound](ratio, float(limit)) else "**no**"


def section(path: Path) -> list[str]:
    """Return the table of one benchmark."""
    found = json.loads(path.read_text("utf-8"))
    name = path.stem.removeprefix("bench-")
    lines = ["", f"## {name}", "", f"From `bench/{name}.py`, which says what exactly is timed.", ""]
    if name in NOTES:
        lines += [NOTES[name], ""]
    lines += ["| What | Against | Ratio | Target | Kept |", "|---|---|---:|---|---|"]
    for row in found["ratios"]:
        kept = verdict(row["ratio"], row["target"])
        target = row["target"].replace("<=", "≤").replace(">=", "≥")
        lines.append(f"| {row['path']} | {row['against']} | {row['ratio']:.2f} | {target} | {kept} |")
    if found["absent"]:
        lines += ["", "Absent on the machine that measured: " + ", ".join(found["absent"]) + "."]
    return lines


def page() -> str:
    """Return the whole page."""
    lines = [HEAD.rstrip()]
    for path in sorted(DOCS.glob("figures/bench-*.json")):
        lines += section(path)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    (DOCS / "performance.md").write_text(page(), "utf-8")
