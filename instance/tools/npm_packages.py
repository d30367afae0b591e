"""Install what checks need into a node_modules, unless it is there already.

    python instance/tools/npm_packages.py [FOLDER]

It is `npm ci` with the `npm` that is first in PATH, in the pages' folder unless another one is named; two
environments of tox may ask at a time.
"""

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parents[1] / "web"


def main() -> int:
    folder = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else WEB
    stamp = folder / "node_modules/.made-from"
    wanted = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    descriptor = os.open(folder, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)  # until this process ends
    if not (stamp.is_file() and stamp.read_text("ascii") == wanted):
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, check=True)
        stamp.write_text(wanted, "ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
