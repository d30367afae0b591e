"""Run a module as somebody to whom the modes of files apply, root or not: the arguments are those of `-m`.

Root reads everything because of two capabilities. They are taken away before the module starts.
"""

import ctypes
import os
import sys

PR_CAPBSET_DROP = 24
CAP_DAC_OVERRIDE = 1
CAP_DAC_READ_SEARCH = 2


def main() -> None:
    """Drop what only root has, then become the module; for anybody else there is nothing to drop."""
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    os.execv(sys.executable, [sys.executable, "-m", *sys.argv[1:]])  # noqa: S606  # the test names it


if __name__ == "__main__":
    main()
