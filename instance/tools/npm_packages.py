"""Install what the checks of the pages need into instance/web/node_modules, unless it is there already.

    python instance/tools/npm_packages.py

It is `npm ci` with the `npm` that is first in PATH; two environments of tox may ask at a time.
"""

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parents[1] / "web"
STAMP = WEB / "node_modules/.made-from"


def main() -> int:
    wanted = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    folder = os.open(WEB, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)  # until this process ends
    if not (STAMP.is_file() and STAMP.read_text("ascii") == wanted):
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=WEB, check=True)
        STAMP.write_text(wanted, "ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
