"""What a command checks before it begins, and how it writes a refusal."""

import logging
import os
import pwd
import sys
from pathlib import Path

from seqfacility_wire.command_line.refusal import Refused
from seqfacility_wire.logs import FORMAT_VARIABLE

from seqfacility_instance.core.mounts import database_file_fault
from seqfacility_instance.settings import Settings


def print_refusal(refused: Refused) -> None:
    """Print a refusal in one line; with a JSON log it is one of its objects.

    Decision: G259, G471.
    """
    if logging.getLogger().handlers and os.environ.get(FORMAT_VARIABLE, "").strip() == "json":
        logging.getLogger("seqfacility.cli").error("%s", refused)
    else:
        sys.stderr.write(f"error: {refused}\n")


def parse_bind(bind: str) -> str:
    """Check `HOST:PORT`; raises `Refused`. Decision: G262."""
    host, separator, port = bind.rpartition(":")
    if not separator or not host or not port.isdigit() or int(port) > 65_535:
        raise Refused(f"--bind wants HOST:PORT, not {bind}")
    return bind


def existing_home(home: Path) -> Path:
    """Return the state directory.

    Raises `Refused` when `init` has not run there, or when this user may not work in it.

    Decision: G467.
    """
    fault = home_fault(home)
    if fault is not None:
        raise Refused(fault)
    if not home.is_dir():
        raise Refused(f"{home} does not exist; run `seqfacility init` first")
    return home


def check_database_file(settings: Settings) -> None:
    """Raise `Refused` where processes that stay would lose data. Decision: G485."""
    fault = database_file_fault(settings.database_address)
    if fault is not None:
        raise Refused(fault)


def home_fault(home: Path) -> str | None:
    """Return why this user cannot work in a state directory; None when it can, or there is none.

    Decision: G467.
    """
    try:
        status = home.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as unseen:
        return f"running as {_user(os.geteuid())}: {home} cannot be seen: {unseen.strerror}"
    if os.access(home, os.R_OK | os.W_OK | os.X_OK):
        return None
    owner, mode = _user(status.st_uid), status.st_mode & 0o7777
    return f"running as {_user(os.geteuid())}, but {home} is owned by {owner} with mode {mode:04o}"


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)
