"""What every benchmark here hands on: ratios beside peers of the same run, each with its target."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ratio:
    """One figure of the performance page."""

    path: str
    """What was done: "upload, 8 MiB chunks, CPU"."""
    against: str
    """The peer of the same run: "nginx PUT"."""
    ratio: float
    """Ours divided by the peer's."""
    target: str
    """The bound and its direction, "<= 1.1" or ">= 0.9"; empty where none is set."""


def write_ratios(target: Path | None, ratios: list[Ratio], absent: list[str]) -> None:
    """Write the figures as JSON, with the names of the peers that this machine did not have."""
    if target is not None:
        found = {"ratios": [asdict(ratio) for ratio in ratios], "absent": absent}
        target.write_text(json.dumps(found, indent=2), "utf-8")
