"""A part of an open file as WSGI servers send it: by `sendfile` where they can, else block by block."""

import os


class FileChanged(Exception):
    """A file is not what it was when its answer began: better no byte than a wrong one.

    Raised where the server sends, it ends the connection, so that the next answer on it is not taken for the
    bytes that are missing.
    """


class FilePart:
    """The bytes of a file from its present position on, at most `length`.

    A server that knows `sendfile` asks for the descriptor and starts at its position; every other one
    calls `read`.
    """

    def __init__(self, file: int, start: int, length: int) -> None:
        os.lseek(file, start, os.SEEK_SET)
        self._file = file
        self._left = length
        self._end = start + length
        self._state = _state_of(file)
        self._is_open = True

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._file

    def read(self, size: int | None = None, /) -> bytes:
        """Read at most `size` bytes, none beyond the part."""
        wanted = self._left if size is None or size < 0 else min(size, self._left)
        data = os.read(self._file, wanted) if wanted else b""
        self._left -= len(data)
        return data

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move the position of the descriptor; `socket.sendfile` moves it behind what was sent."""
        position = os.lseek(self._file, offset, whence)
        self._left = self._end - position
        return position

    def close(self) -> None:
        """Close the descriptor, once; raises `FileChanged` when a change kept bytes from being sent."""
        is_cut_short = self._is_open and self._left > 0 and _state_of(self._file) != self._state
        self._close()
        if is_cut_short:
            raise FileChanged

    def _close(self) -> None:
        if self._is_open:
            self._is_open = False
            os.close(self._file)

    def __del__(self) -> None:
        # A client that goes away before the answer begins leaves nobody who closes.
        self._close()


def _state_of(file: int) -> tuple[int, int]:
    status = os.fstat(file)
    return status.st_size, status.st_mtime_ns
