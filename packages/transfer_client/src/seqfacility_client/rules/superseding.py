"""Which reads the arrival of a file takes out of use."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ActiveRead:
    """The read of a sample that is in use: its files by role, class and sequencing run."""

    files: Mapping[str, str]
    data_class: str
    sequencing_run_id: str | None


def is_superseded(read: ActiveRead, role: str, data_class: str, sequencing_run_id: str | None) -> bool:
    """Return whether a file makes a new read instead of joining this one. Decision: G104."""
    runs = {read.sequencing_run_id, sequencing_run_id} - {None}
    return role in read.files or read.data_class != data_class or len(runs) > 1


@dataclass(frozen=True, slots=True)
class Superseded:
    """A read of a sample that is superseded; a delivered one leaves the published delivery.

    Decision: G423.
    """

    read: ActiveRead
    sample: str
    is_delivered: bool

    def __str__(self) -> str:
        text = f"the {self.read.data_class} {' and '.join(self.read.files)} of {self.sample}"
        return f"{text}, out of the published delivery" if self.is_delivered else text
