"""Run a module as on another host, `HOST MODULE WORDS...`: own host name, boot id and process numbers.

One kernel stands for two machines; disk, database and network are shared. Needs root.
"""

import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path

_SCRIPT = """
hostname "$1" && mount --bind "$2" /proc/sys/kernel/random/boot_id || exit 97
shift 2
exec "$@"
"""


def is_possible() -> bool:
    """Return whether this user may make the namespaces."""
    words = ["unshare", "--pid", "--uts", "--mount", "--fork", "--mount-proc", "true"]
    try:
        return subprocess.run(words, capture_output=True, check=False, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def main() -> None:
    """Become the module on the other host; everything ends with this process."""
    host, module, *words = sys.argv[1:]
    boot_id = Path(tempfile.mkdtemp()) / "boot_id"
    boot_id.write_text(f"{secrets.token_hex(16)}\n", "ascii")
    command = ["unshare", "--pid", "--uts", "--mount", "--fork", "--kill-child", "--mount-proc"]
    command += ["sh", "-c", _SCRIPT, "sh", host, str(boot_id), sys.executable, "-m", module, *words]
    os.execvp(command[0], command)  # noqa: S606 - the words are a list


if __name__ == "__main__":
    main()
