"""What one reading of a file tells about it: MD5, gzip integrity, FASTQ shape, reads, and their names."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from seqfacility_instance.core.checksums import Digest, Digesting, digest_of_descriptor
from seqfacility_instance.core.fastq_records import (
    Lines,
    MalformedFastq,
    Records,
    decompression_errors,
    text_blocks,
)
from seqfacility_instance.reads.rules import is_fastq_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BROKEN_GZIP = "The gzip data is damaged or cut short"
BROKEN_RECORDS = "The records are not four-line FASTQ with sequence and quality of equal length"

_SPACE, _TAB, _SLASH, _ONE, _TWO = b" \t/12"


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found; None is not applicable or not known. Decision: G107.

    `names_digest` is the same for two files exactly when their reads have the same names in the same
    order, up to the first blank and apart from a final `/1` or `/2`.
    """

    digest: Digest
    gzip_intact: bool | None = None
    record_shape: bool | None = None
    read_count: int | None = None
    base_count: int | None = None
    names_digest: str | None = None
    problems: tuple[str, ...] = ()


def examine(file: int, name: str, on_block: Callable[[], None]) -> Findings:
    """Read an open file once and say what it is; `on_block` is called now and then.

    Decision: G107.
    """
    if not is_fastq_name(name):
        return Findings(digest_of_descriptor(file))
    is_gzip = name.lower().endswith(".gz")
    digesting = Digesting()
    names, bases = _Names(), 0
    try:
        for lines in Records(file, is_gzip, digesting.update, on_block):
            names.add(lines)
            bases += int((lines.ends[:, 1] - lines.starts[:, 1]).sum())
    except decompression_errors():
        return Findings(digest_of_descriptor(file), gzip_intact=False, problems=(BROKEN_GZIP,))
    except MalformedFastq:
        intact = _is_intact(file, on_block) if is_gzip else None
        problems = (BROKEN_RECORDS,) if intact is not False else (BROKEN_GZIP, BROKEN_RECORDS)
        return Findings(digest_of_descriptor(file), intact, record_shape=False, problems=problems)
    return Findings(
        digest=digesting.digest(),
        gzip_intact=True if is_gzip else None,
        record_shape=True,
        read_count=names.count,
        base_count=bases,
        names_digest=names.hexdigest(),
    )


def _is_intact(file: int, on_block: Callable[[], None]) -> bool:
    """Decompress a gzip file to its end, whatever it holds."""
    try:
        for _ in text_blocks(file, is_gzip=True, show=lambda _: None):
            on_block()
    except decompression_errors():
        return False
    except MalformedFastq:
        return True
    return True


class _Names:
    """A digest of read names: of their bytes and of their lengths, each in order."""

    def __init__(self) -> None:
        self.count = 0
        self._bytes = hashlib.blake2b(digest_size=16)
        self._lengths = hashlib.blake2b(digest_size=16)

    def add(self, lines: Lines) -> None:
        """Add the names of some records."""
        starts, ends = _name_bounds(lines)
        self.count += len(starts)
        self._bytes.update(lines.cut_out(starts, ends).data)
        self._lengths.update((ends - starts).tobytes())

    def hexdigest(self) -> str:
        """Return the digest of all names."""
        return self._bytes.hexdigest() + self._lengths.hexdigest()


def _name_bounds(lines: Lines) -> "tuple[NDArray[np.int64], NDArray[np.int64]]":
    """Find where each name begins, behind the `@`, and ends: at the first blank, before a mate's number.

    Decision: G372.
    """
    import numpy as np

    text = lines.text
    starts, ends = lines.starts[:, 0] + 1, lines.ends[:, 0]
    kinds = text[lines.blanks]
    blanks = np.append(lines.blanks[(kinds == _SPACE) | (kinds == _TAB)], len(text))
    ends = np.minimum(ends, blanks[np.searchsorted(blanks, starts)])
    last = text[np.maximum(ends - 1, 0)]
    is_numbered = (ends - starts >= 2) & (text[np.maximum(ends - 2, 0)] == _SLASH)
    return starts, ends - 2 * (is_numbered & ((last == _ONE) | (last == _TWO)))
