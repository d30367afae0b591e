"""What the name of a folder says of an instrument's run."""

import re
from dataclasses import dataclass
from typing import Final

_RUN: Final = re.compile(
    r"[0-9]{8}_[0-9]{4}_(?P<device>[A-Za-z0-9-]+)_(?P<flow_cell>[A-Z0-9-]+)_(?P<run>[0-9a-f]{8})"
)
_OUTPUT: Final = re.compile(r"(?:fastq|bam|pod5|fast5)(?:_(?:pass|fail|skip))?|barcode[0-9]+|unclassified")


@dataclass(frozen=True, slots=True)
class NamedRun:
    """The parts of the name that MinKNOW gives the folder of a run."""

    device: str
    flow_cell: str
    run: str


def named_run(path: str) -> NamedRun | None:
    """Read the name of a run's folder; None for any other name. Decision: G686."""
    found = _RUN.fullmatch(path.rpartition("/")[2])
    return found and NamedRun(found["device"], found["flow_cell"], found["run"])


def is_output_folder(name: str) -> bool:
    """Return whether an instrument writes reads into folders of this name, inside that of the run."""
    return _OUTPUT.fullmatch(name.lower()) is not None
