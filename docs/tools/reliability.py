"""Write docs/reliability.md from the figures that `nox -s soak` left in docs/figures/soak.jsonl."""

import json
from pathlib import Path

DOCS = Path(__file__).parents[1]

HEAD = """# Reliability

What a facility may rely on, and how hard we tried to break it. Each line was written by a suite in its
long form, after its assertions held: by `nox -s soak`, whole or suite by suite, which also writes this page.
The same suites run in short form whenever `tox` runs.

| Promise | Tried | Found |
|---|---|---|
"""


def page() -> str:
    """Return the whole page, sorted by promise; of a suite that ran several times the last run counts."""
    source = DOCS / "figures" / "soak.jsonl"
    lines = [json.loads(line) for line in source.read_text("utf-8").splitlines()]
    newest = {line["promise"].rstrip("."): line for line in lines}
    return HEAD + "".join(
        f"| {promise} | {newest[promise]['tried']} | {newest[promise]['found']} |\n"
        for promise in sorted(newest)
    )


if __name__ == "__main__":
    (DOCS / "reliability.md").write_text(page(), "utf-8")
