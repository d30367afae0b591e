"""The temp file of an upload session: who may write it, what of it counts, what a full disk does to it.

Bytes `[0, receivedSize)` are final and on disk; nothing else in the file is promised.
"""

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator

from seqfacility_instance.uploads.body_source import BodySource, Ending, Received
from seqfacility_instance.uploads.errors import AnotherWriter, NotEnoughSpace

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_FIRST_PAUSE_SECONDS = 0.005
_LONGEST_PAUSE_SECONDS = 0.1


@contextlib.contextmanager
def locked(file: int, wait_seconds: float) -> Iterator[None]:
    """Hold the exclusive lock of an open temp file; raises `AnotherWriter` when it stays taken.

    The lock is the kernel's: it ends with the descriptor and so with the process, and threads that opened
    the file each for themselves exclude each other too.

    Decision: G97.
    """
    deadline = time.monotonic() + wait_seconds
    pause = _FIRST_PAUSE_SECONDS
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            left = deadline - time.monotonic()
            if left <= 0:
                raise AnotherWriter from None
            time.sleep(min(pause, left))
            pause = min(pause * 2, _LONGEST_PAUSE_SECONDS)
    try:
        yield
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def size_of(file: int) -> int:
    """Return the size of an open file in bytes."""
    return os.fstat(file).st_size


def append(file: int, source: BodySource, offset: int, room: int, idle_seconds: float) -> Received:
    """Pour a body behind the `offset` bytes that count and make what arrived durable.

    What a crash left beyond `offset` is cut first; of a body that is too long nothing is kept. Raises
    `NotEnoughSpace` when the disk, a quota or a limit is full; then nothing is kept either, and the file
    ends at `offset` again.

    Decision: G97, G270.
    """
    try:
        os.ftruncate(file, offset)
        received = source.receive_into(file, offset, room, idle_seconds)
        if received.ending is Ending.TOO_LONG:
            os.ftruncate(file, offset)
            return Received(0, received.ending)
        if received.size:
            # HAZARD: a failed sync must not be tried again: the kernel may have dropped the pages and
            # would then report success. The bytes are thrown away instead and sent once more.
            os.fdatasync(file)
    except OSError as refused:
        cut_back(file, offset)
        if refused.errno in _FULL:
            raise NotEnoughSpace(extra={"receivedSize": offset}) from refused
        raise
    return received


def cut_beyond(file: int, size: int) -> None:
    """Cut what a crash left beyond `size` bytes.

    WHY: a file that has no more is left alone. Cutting would change its time, and what is known of it with
    that.
    """
    if size_of(file) > size:
        os.ftruncate(file, size)


def cut_back(file: int, offset: int) -> None:
    """Let the file end at `offset` again, as far as a failing disk allows."""
    with contextlib.suppress(OSError):
        os.ftruncate(file, offset)


def is_full(refused: OSError) -> bool:
    """Return whether an error says that a disk, a quota or a size limit is full. Decision: G270."""
    return refused.errno in _FULL
