"""What hostile requests of live ingest aim at: a run that is watched, and links that lead out of its root."""

import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.streams import StreamInHand, fastq, start_stream


@dataclass(frozen=True, slots=True)
class Ground:
    """What hostile requests aim at: a watched run, links of all kinds, and secrets outside the root."""

    stream: StreamInHand
    root: Path
    outside: Path
    words: dict[str, str]

    def fill(self, value: Any) -> Any:
        """Put the real ids and folders into a path, a text, or all texts of a body."""
        if isinstance(value, str):
            for word, real in self.words.items():
                value = value.replace("{" + word + "}", real)
            return value
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if isinstance(value, dict):
            return {self.fill(key): self.fill(item) for key, item in value.items()}
        return value


def prepare(facility: Facility) -> Ground:
    root, outside = facility.home / "sequencer", facility.home / "secrets"
    (outside / "fastq_pass" / "barcode01").mkdir(parents=True)
    (outside / "fastq_pass" / "barcode01" / "secret.fastq").write_bytes(fastq(7))
    root.with_name("sequencer-of-others").mkdir()
    stream = start_stream(facility, draft_order(facility), "run1")
    stream.put("fastq_pass/barcode01/a.fastq", fastq(3))
    (root / "file").write_text("x")
    os.mkfifo(root / "fifo")
    with socket.socket(socket.AF_UNIX) as made, _inside(root):
        made.bind("socket")
    links = {
        "link-in": "run1", "link-out": str(outside), "link-of-link": "link-out", "link-up": "..",
        "link-to-nothing": "nowhere", "loop": "loop", "loop-a": "loop-b", "loop-b": "loop-a",
        "run1/inside-out": str(outside),
        "run1/fastq_pass/barcode02": str(outside / "fastq_pass" / "barcode01"),
        "run1/linked.fastq": str(outside / "fastq_pass" / "barcode01" / "secret.fastq"),
    }  # fmt: skip
    for name, target in links.items():
        (root / name).symlink_to(target)
    stream.look(2)
    plan = facility.admin.post(f"/api/orders/{stream.order.id}/sequencing/runs", {"runId": "R1"})
    words = {
        "root": str(root), "outside": str(outside), "order": stream.order.id, "run": stream.id,
        "other": draft_order(facility).id, "plan": plan.json["run"]["id"],
        "sample": stream.order.sample_ids[0],
    }  # fmt: skip
    return Ground(stream, root, outside, words)


class _inside:  # noqa: N801  # reads as a word in the with statement
    """Be in a folder for a moment: the path of a socket has at most 107 bytes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.before = folder, Path.cwd()

    def __enter__(self) -> None:
        os.chdir(self.folder)

    def __exit__(self, *_: object) -> None:
        os.chdir(self.before)
