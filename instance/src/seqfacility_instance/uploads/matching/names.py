"""What the name of a read file says: which mate it is, and where in the name that is said."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from seqfacility_instance.core.vocabulary.sequencing import Mate

_ILLUMINA = re.compile(r".+?(?P<zone>_S\d+(?:_L\d{3})?_(?P<kind>[RI])(?P<number>[1-4])_\d{3})")
_LANE = re.compile(r"(?P<before>.+_S\d+)_L(?P<number>\d{3})(?P<behind>_[RI][1-4]_\d{3}\..+)")
_EXPLICIT = re.compile(r"(?<![^\W_])[Rr](?P<number>[12])(?:_\d{3})?(?![^\W_])")
_BARE = re.compile(r".+[._-](?P<number>[12])")
_UNDETERMINED = re.compile(r"Undetermined_S0(?:_L\d{3})?_.*", re.IGNORECASE)


class Code(StrEnum):
    """Why a file is not sent, for programs. Decision: G635."""

    EXTENSION = "extension"
    INDEX_READS = "index-reads"
    UNDETERMINED = "undetermined"
    HIDDEN = "hidden"
    UNKNOWN_SAMPLE = "unknown-sample"
    SEVERAL_SAMPLES = "several-samples"
    SEVERAL_FILES = "several-files"
    LANES = "lanes"
    UNEQUAL_LANES = "unequal-lanes"
    NAME = "name"
    PATH = "path"
    TWICE = "twice"
    EMPTY = "empty"
    TOO_LARGE = "too-large"
    CHOICE = "choice"
    CHECKSUMS = "checksums"


class Form(StrEnum):
    """How surely a name speaks of a mate."""

    ILLUMINA = "illumina"
    EXPLICIT = "explicit"
    BARE = "bare"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ReadName:
    """The name of a read file without its extension.

    `zone` is the part that tells the mate, as a pair of positions in `stem`; without one it is empty.
    """

    stem: str
    mate: Mate
    form: Form
    zone: tuple[int, int]


def stem_of(name: str, extensions: Sequence[str]) -> str | None:
    """Return a name without its longest allowed extension; None when the name has none, or nothing before it.

    The stem is in NFC: some systems store an accent apart from its letter.

    Spec: instance, Sequencing uploads 1.
    """
    composed = unicodedata.normalize("NFC", name)
    endings = [ending for ending in extensions if composed.lower().endswith(ending.lower())]
    return (composed[: -max(map(len, endings))] or None) if endings else None


def left_out_because(stem: str) -> tuple[Code, str] | None:
    """Return why a file of a sequencer's folder is nobody's read; None when it may be one. Decision: G320."""
    if _UNDETERMINED.fullmatch(stem):
        return Code.UNDETERMINED, "Reads that the sequencer gave to no sample"
    found = _ILLUMINA.fullmatch(stem)
    if found and (found["kind"] == "I" or found["number"] not in {"1", "2"}):
        return Code.INDEX_READS, "Index reads"
    return None


def lane_of(name: str) -> tuple[int, str] | None:
    """Return the lane in a file name of Illumina's form, and the name without it. Decision: G425."""
    found = _LANE.fullmatch(name)
    return None if found is None else (int(found["number"]), found["before"] + found["behind"])


def are_lanes(names: Sequence[str]) -> bool:
    """Return whether files have the same name but for the lane, each another one."""
    lanes = [lane_of(name) for name in names]
    stems = {lane[1] for lane in lanes if lane is not None}
    return None not in lanes and len(set(lanes)) == len(names) and len(stems) == 1


def lanes_of(names: Sequence[str]) -> set[int | None]:
    """Return the lanes that file names tell; None stands for a name that tells none."""
    return {lane[0] if (lane := lane_of(name)) else None for name in names}


def read_name(stem: str) -> ReadName:
    """Read the mate out of a name.

    In this order: the form of Illumina's software (`_S3_L001_R1_001`, lane optional); the last `R1` or `R2`
    that stands alone; a `1` or `2` at the end, which is only a mate when its partner is there
    (`settled`). A name that says nothing is R1.

    Decision: G320.
    """
    if found := _ILLUMINA.fullmatch(stem):
        return ReadName(stem, Mate(f"R{found['number']}"), Form.ILLUMINA, found.span("zone"))
    explicit = [match for match in _EXPLICIT.finditer(stem) if match.start() > 0]
    if explicit:
        return ReadName(stem, Mate(f"R{explicit[-1]['number']}"), Form.EXPLICIT, explicit[-1].span())
    if found := _BARE.fullmatch(stem):
        return ReadName(stem, Mate(f"R{found['number']}"), Form.BARE, found.span("number"))
    return without_mate(stem)


def without_mate(stem: str) -> ReadName:
    """Read a name as one that says nothing of mates. Decision: G320."""
    return ReadName(stem, Mate.R1, Form.NONE, (len(stem), len(stem)))


def partner_stem(name: ReadName) -> str:
    """Return the stem that the other mate of a pair would have. Decision: G320."""
    start, end = name.zone
    other = "2" if name.mate is Mate.R1 else "1"
    zone = name.stem[start:end]
    swapped = re.sub(r"([Rr])[12]", rf"\g<1>{other}", zone) if name.form is not Form.BARE else other
    return name.stem[:start] + swapped + name.stem[end:]


def settled(name: ReadName, beside: Collection[str]) -> ReadName:
    """Believe a bare `_1` or `_2` only when the partner lies beside it; `beside` holds stems.

    Decision: G320.
    """
    if name.form is Form.BARE and partner_stem(name) not in beside:
        return without_mate(name.stem)
    return name
