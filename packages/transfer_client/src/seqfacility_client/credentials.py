"""What a command shows to the facility: an API token, or e-mail and password."""

import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from seqfacility_client.errors import TransferRefused

_TOKEN: Final = re.compile(r"[\x21-\x7e]{1,4096}")


@dataclass(frozen=True, slots=True)
class Credentials:
    """A token, which needs no sign-in, else the e-mail and password of a session. Decision: G805."""

    email: str = ""
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)

    @classmethod
    def of_token(cls, text: str, source: str) -> "Credentials":
        """Return the credentials of a token; raises `TransferRefused` when the text can be none."""
        if not _TOKEN.fullmatch(text.strip()):
            raise TransferRefused(f"{source} holds no token; one line is expected")
        return cls(token=text.strip())


def token_in(file: Path) -> Credentials:
    """Read a token from a file that its owner alone can read; raises `TransferRefused`. Decision: G805."""
    try:
        with file.open("rb") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
                raise TransferRefused(f"others can read {file}; run chmod 600 {file}")
            content = opened.read(8192)
    except OSError as unreadable:
        raise TransferRefused(f"{file} cannot be read: {unreadable.strerror}") from unreadable
    return Credentials.of_token(content.decode("utf-8", "replace"), str(file))
