"""Write docs/reliability.md from the figures that `nox -s soak` left in docs/figures/soak.jsonl."""

import json
from pathlib import Path

DOCS = Path(__file__).parents[1]

HEAD = """# Reliability

What a facility may rely on, and how hard we tried to break it. Each line was written by a suite after its
assertions held, in its long form, by `nox -s soak`, which also wrote this page. The same suites run in
short form whenever `tox` runs.

| Promise | Tried | Found |
|---|---|---|
"""


def page() -> str:
    """Give the whole page, sorted by promise."""
    source = DOCS / "figures" / "soak.jsonl"
    rows = {tuple(json.loads(line).values()) for line in source.read_text("utf-8").splitlines()}
    return HEAD + "".join(f"| {promise} | {tried} | {found} |\n" for promise, tried, found in sorted(rows))


if __name__ == "__main__":
    (DOCS / "reliability.md").write_text(page(), "utf-8")
