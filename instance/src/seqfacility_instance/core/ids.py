"""How the service makes identifiers: row ids, sample codes and provisional run numbers."""

import secrets
import threading
from datetime import datetime
from typing import Final

from seqfacility_instance.core.clock import system_now

# Digits and lower-case letters without i, l, o and u, in ASCII order: one case only, so
# that every collation sorts ids alike and a file system without case keeps them apart.
ID_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
ID_LENGTH: Final = 26
SAMPLE_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
SAMPLE_SUFFIX_LENGTH: Final = 6
RUN_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz0123456789"
RUN_SUFFIX_LENGTH: Final = 5

_RANDOM_BITS: Final = 80
_STEP_BITS: Final = 40


class IdMaker:
    """Makes ids that cannot be guessed and that sort by creation time.

    An id is a 48 bit millisecond and 80 random bits. Ids of one maker always grow, also
    within a millisecond and when the clock is set back, so rows that are written together
    keep their order. The growth is a random step of up to 40 bits: a neighbour of a known
    id stays out of reach of guessing.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def make(self, now: datetime) -> str:
        """Return the next id: 26 characters out of `ID_ALPHABET`. Decision: G3, G14."""
        fresh = epoch_milliseconds(now) << _RANDOM_BITS | secrets.randbits(_RANDOM_BITS - 1)
        with self._lock:
            if fresh <= self._last or fresh >> _RANDOM_BITS == self._last >> _RANDOM_BITS:
                fresh = self._last + 1 + secrets.randbits(_STEP_BITS)
            self._last = fresh
        return "".join(ID_ALPHABET[fresh >> shift & 31] for shift in range(5 * (ID_LENGTH - 1), -1, -5))


_process_ids = IdMaker()


def new_id() -> str:
    """Make the id of a new row: opaque, safe in a URL path and as a file name. Decision: G3."""
    return _process_ids.make(system_now())


def new_sample_code(now: datetime) -> str:
    """Make a sample code, `S-<epoch milliseconds>-<six characters>`. Decision: G73."""
    drawn = secrets.randbelow(len(SAMPLE_ALPHABET) ** SAMPLE_SUFFIX_LENGTH)
    suffix = ""
    for _ in range(SAMPLE_SUFFIX_LENGTH):
        drawn, place = divmod(drawn, len(SAMPLE_ALPHABET))
        suffix += SAMPLE_ALPHABET[place]
    return f"S-{epoch_milliseconds(now)}-{suffix}"


def provisional_run_number(pipeline_id: str, now: datetime) -> str:
    """Make the number that a run carries until it is staged. Decision: G151."""
    suffix = "".join(secrets.choice(RUN_ALPHABET) for _ in range(RUN_SUFFIX_LENGTH))
    return f"{pipeline_id.upper()}-{epoch_milliseconds(now):013d}-{suffix}"


def canonical_run_number(pipeline_id: str, now: datetime, count: int) -> str:
    """Return the number of the `count`-th run of a pipeline on the UTC day of `now`. Decision: G151."""
    return f"{pipeline_id.upper()}-{now:%Y%m%d}-{count:03d}"


def order_number(now: datetime, count: int) -> str:
    """Return the number of the `count`-th order of the UTC day of `now`. Decision: G73."""
    return f"ORD-{now:%Y%m%d}-{count:04d}"


def epoch_milliseconds(timestamp: datetime) -> int:
    """Return an aware timestamp as whole milliseconds since 1970, not computed through floats."""
    from_epoch = timestamp - _EPOCH
    return (from_epoch.days * 86_400 + from_epoch.seconds) * 1000 + from_epoch.microseconds // 1000


_EPOCH: Final = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
