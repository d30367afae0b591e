"""Short and long forms of one suite: `nox -s soak` asks for the long one and keeps what it found.

`SEQFACILITY_SOAK` names the file that figures are appended to, one JSON object a line; it is set only in
the long form. The reliability page is written from that file.
"""

import json
import os
from pathlib import Path
from typing import Final

_FIGURES_FILE: Final = os.environ.get("SEQFACILITY_SOAK")


def rounds(short: int, long: int) -> int:
    """Choose how often a fault is provoked: `short` in a routine run, `long` in a soak."""
    return long if _FIGURES_FILE else short


def record(promise: str, *, tried: str, found: str) -> None:
    """Keep one line for the reliability page, after its assertions held; does nothing in a routine run.

    promise -- what a facility may rely on, as one sentence
    tried -- what was done to it, with the count: "300 kills of all web processes"
    found -- what came out: "no acknowledged byte lost, 0 orphan files"
    """
    if not _FIGURES_FILE:
        return
    line = json.dumps({"promise": promise, "tried": tried, "found": found}, ensure_ascii=False)
    with Path(_FIGURES_FILE).open("a", encoding="utf-8") as file:
        file.write(line + "\n")
