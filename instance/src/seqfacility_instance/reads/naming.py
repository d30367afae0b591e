"""Under which names files are delivered: those that the service named itself, after the sample's alias."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from seqfacility_instance.core.vocabulary.sequencing import DataClass, Mate, ReadSource

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_ENDING = re.compile(r"(\.[A-Za-z0-9]{1,16})?\.(?:gz|bz2|xz|zst)$|\.[A-Za-z0-9]{1,16}$")
_ALIAS_MAX_CHARACTERS = 100
NAMED_BY_SERVICE = frozenset({ReadSource.PIPELINE, ReadSource.STREAM})
"""A file that somebody uploaded or linked is delivered under the name that it was given."""


def sample_stems(samples: Iterable[tuple[str, str | None]]) -> dict[str, str]:
    """Return by sample code what the names of a sample's files begin with.

    That is the alias in letters that every file system and shell takes as they are. The code is added when
    another sample of the order would have the same, capital letters apart; without an alias it stands alone.
    `samples` are codes and aliases.

    Decision: G434.
    """
    plain = {code: _plain(alias or "") for code, alias in samples}
    uses = Counter(stem.lower() for stem in plain.values())
    return {
        code: stem if uses[stem.lower()] == 1 and stem else "-".join(filter(None, (stem, code)))
        for code, stem in plain.items()
    }


def delivered_name(stem: str, mate: Mate, data_class: DataClass, path: str) -> str:
    """Return the name of a file that the service made: `lake-1_R1.cleaned.fastq.gz`. Decision: G434."""
    ending = _ENDING.search(path.rpartition("/")[2])
    return f"{stem}_{mate.value}.{data_class.value}{ending[0] if ending else ''}"


def _plain(alias: str) -> str:
    letters = unicodedata.normalize("NFKD", alias).encode("ascii", "ignore").decode()
    return _UNSAFE.sub("_", letters)[:_ALIAS_MAX_CHARACTERS].strip("._-")
