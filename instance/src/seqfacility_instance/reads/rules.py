"""Pure decisions on reads: data classes, layout, what a new file does to the reads of a sample.

Decision: G107.
"""

from dataclasses import dataclass
from typing import Protocol

from seqfacility_instance.core.vocabulary.sequencing import DataClass, Mate, ReadLayout

LONG_READ_PLATFORMS = frozenset({"OXFORD_NANOPORE", "PACBIO"})
LABELS = {
    DataClass.CLEANED: "Cleaned",
    DataClass.RAW: "Raw (protected)",
    DataClass.UNKNOWN: "Unclassified (protected)",
}


class ReadFiles(Protocol):
    """What decides about a new file: the active read of its sample."""

    file1: str | None
    file2: str | None
    data_class: DataClass

    @property
    def sequencing_run_id(self) -> str | None:
        """The sequencing run that the read came from."""


class ReadInUse(Protocol):
    """What decides whether a read is delivered."""

    data_class: DataClass
    is_active: bool


def is_protected(data_class: DataClass) -> bool:
    """Return whether a researcher never gets files of this class. Decision: G110."""
    return data_class is not DataClass.CLEANED


def is_delivered(read: ReadInUse, *, is_published: bool) -> bool:
    """Return whether the researcher has the files of a read now. Decision: G110, G113, G753."""
    return is_published and read.is_active and not is_protected(read.data_class)


def layout_of(file1: str | None, file2: str | None, platform: str | None) -> ReadLayout:
    """Choose the layout of a read from its files and the platform of its order. Decision: G111."""
    if file1 and file2:
        return ReadLayout.PAIRED
    return ReadLayout.LONG if platform in LONG_READ_PLATFORMS else ReadLayout.SINGLE


def has_extension(name: str, allowed: list[str]) -> bool:
    """Return whether a name ends with one of the extensions, whatever its case, and is more than that.

    Spec: instance, Sequencing uploads 1. Decision: G45.
    """
    lower = name.lower()
    return any(lower.endswith(ending.lower()) and len(lower) > len(ending) for ending in allowed)


def is_fastq_name(name: str) -> bool:
    return name.lower().removesuffix(".gz").endswith((".fastq", ".fq"))


@dataclass(frozen=True, slots=True)
class Arrival:
    """The attributes of an arriving file."""

    mate: Mate
    data_class: DataClass
    sequencing_run_id: str | None


def fills_mate(active: ReadFiles, arrival: Arrival) -> bool:
    """Return whether a file joins the active read of its sample; otherwise it makes a new one.

    It joins when the class is the same, its mate is empty, and the sequencing runs are equal or one is
    not known.

    Decision: G104.
    """
    mate_file = active.file1 if arrival.mate is Mate.R1 else active.file2
    runs = {active.sequencing_run_id, arrival.sequencing_run_id} - {None}
    return active.data_class is arrival.data_class and mate_file is None and len(runs) < 2
