"""A writer of sequencing files that does all that instruments, copying programs and people do to them."""

import gzip
import os
import random
import threading
from collections.abc import Callable
from pathlib import Path

from seqfacility_testkit.streams import fastq

MOMENT_SECONDS = 0.15
LATER_SECONDS = 0.5


class UntidySequencer(threading.Thread):
    """Writes files below a folder in one way after the other, until it is told to end.

    A way that needs a file from before takes one of its own, at a moment when it may or may not be counted.
    """

    def __init__(self, folder: Path, seed: int, pause_seconds: float = 0.01) -> None:
        super().__init__()
        self.folder = folder
        self.random = random.Random(seed)  # noqa: S311  # which files, no secret
        self.pause_seconds = pause_seconds
        self.ended = threading.Event()
        self.written = 0
        self.at_rest: list[Path] = []
        """Files that were written in one go, oldest first: those that are renamed later.

        A name whose content changes and that goes away while nobody looks cannot be told from a file that was
        taken away, which stays counted. Decision: G314, G351.
        """
        self.ways: list[Callable[[str], Path | None]] = [
            self.at_once,
            self.slowly,
            self.renamed_when_whole,
            self.appended_later,
            self.replaced,
            self.cut_and_whole_again,
            self.given_another_name,
            self.put_over_another,
            self.in_a_folder_that_is_moved_in,
            self.cut_for_ever,
            self.linked,
        ]
        self.changing = {
            self.slowly,
            self.appended_later,
            self.replaced,
            self.cut_and_whole_again,
            self.put_over_another,
        }

    def run(self) -> None:
        while not self.ended.is_set():
            way = self.ways[self.written % len(self.ways)]
            rested = way(f"f{self.written}")
            if rested is not None and way not in self.changing:
                self.at_rest.append(rested)
            self.written += 1
            self.ended.wait(self.pause_seconds)

    def finish(self) -> None:
        """End after the file at hand."""
        self.ended.set()
        self.join()

    def target_of(self, name: str) -> Path:
        """Choose a barcode's folder for a file."""
        folder = self.folder / "fastq_pass" / f"barcode{self.random.randrange(1, 4):02d}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder / name

    def _text(self) -> bytes:
        return fastq(self.random.randrange(1, 60), self.random.randrange(1, 300))

    def at_once(self, name: str) -> Path:
        target = self.target_of(f"{name}.fastq.gz")
        target.write_bytes(gzip.compress(self._text()))
        return target

    def slowly(self, name: str) -> Path:
        """Write a file in parts, with pauses in which it looks complete."""
        whole, target = gzip.compress(self._text()), self.target_of(f"{name}.fastq.gz")
        step = max(1, len(whole) // 3)
        with target.open("wb") as file:
            for start in range(0, len(whole), step):
                file.write(whole[start : start + step])
                file.flush()
                self.ended.wait(MOMENT_SECONDS)
        return target

    def renamed_when_whole(self, name: str) -> Path:
        """Write under a hidden name first."""
        hidden = self.target_of(f".{name}.fastq.part")
        hidden.write_bytes(self._text())
        return hidden.rename(hidden.with_name(f"{name}.fastq"))

    def appended_later(self, name: str) -> Path:
        """Add a gzip member to a file that was complete."""
        target = self.at_once(name)
        self.ended.wait(LATER_SECONDS)
        with target.open("ab") as file:
            file.write(gzip.compress(self._text()))
        return target

    def replaced(self, name: str) -> Path:
        """Put other content under the name of a complete file."""
        target = self.target_of(f"{name}.fastq")
        target.write_bytes(self._text())
        self.ended.wait(LATER_SECONDS)
        other = target.with_name(f".{name}.new")
        other.write_bytes(self._text())
        return other.replace(target)

    def cut_and_whole_again(self, name: str) -> Path:
        """Cut a complete file to a part of itself, and make it whole again."""
        target = self.at_once(name)
        whole = target.read_bytes()
        self.ended.wait(LATER_SECONDS)
        os.truncate(target, len(whole) // 2)
        self.ended.wait(LATER_SECONDS)
        target.write_bytes(whole)
        return target

    def given_another_name(self, name: str) -> Path | None:
        """Move an old file to another name, perhaps of another barcode."""
        if not self.at_rest:
            return None
        old = self.at_rest.pop(0)
        return old.rename(self.target_of(f"{name}{''.join(old.suffixes)}"))

    def put_over_another(self, _name: str) -> Path | None:
        """Move an old file over another one."""
        same = [path for path in self.at_rest if path.name.endswith(".gz")]
        if len(same) < 2:
            return None
        moved, covered = same[:2]
        self.at_rest.remove(moved)
        self.at_rest.remove(covered)
        return moved.replace(covered)

    def in_a_folder_that_is_moved_in(self, name: str) -> Path:
        """Fill a folder beside the run and move it in, and fill one in the moment it is made."""
        packed = self.folder.with_name(f"{self.folder.name}-packed") / name
        packed.mkdir(parents=True)
        (packed / f"{name}.fastq").write_bytes(self._text())
        moved = packed.rename(self.target_of(f"{name}-folder"))
        deep = self.target_of(f"{name}-deep") / "a" / "b"
        deep.mkdir(parents=True)
        (deep / f"{name}.fastq.gz").write_bytes(gzip.compress(self._text()))
        return moved / f"{name}.fastq"

    def cut_for_ever(self, name: str) -> None:
        target = self.at_once(name)
        os.truncate(target, target.stat().st_size // 2)

    def linked(self, name: str) -> None:
        """Lay a link to a file outside, and one to a file inside."""
        outside = self.folder.with_name(f"{self.folder.name}-outside.fastq")
        outside.write_bytes(fastq(1000))
        self.target_of(f"{name}-out.fastq").symlink_to(outside)
        if self.at_rest:
            self.target_of(f"{name}-in.fastq").symlink_to(self.at_rest[0])
