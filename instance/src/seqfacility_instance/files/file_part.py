"""A part of an open file as WSGI servers send it: by `sendfile` where they can, else block by block."""

import os


class FilePart:
    """The bytes of a file from its present position on, at most `length`.

    A server that knows `sendfile` asks for the descriptor and starts at its position; every other one
    calls `read`.
    """

    def __init__(self, file: int, start: int, length: int) -> None:
        os.lseek(file, start, os.SEEK_SET)
        self._file = file
        self._left = length
        self._is_open = True

    def fileno(self) -> int:
        """Give the descriptor."""
        return self._file

    def read(self, size: int | None = None, /) -> bytes:
        """Read at most `size` bytes, none beyond the part."""
        wanted = self._left if size is None or size < 0 else min(size, self._left)
        data = os.read(self._file, wanted) if wanted else b""
        self._left -= len(data)
        return data

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Move the position of the descriptor; servers set it back after `sendfile`."""
        return os.lseek(self._file, offset, whence)

    def close(self) -> None:
        """Close the descriptor, once."""
        if self._is_open:
            self._is_open = False
            os.close(self._file)

    def __del__(self) -> None:
        # A client that goes away before the answer begins leaves nobody who closes.
        self.close()
