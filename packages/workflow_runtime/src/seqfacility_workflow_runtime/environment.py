"""The environment of child processes: an allow-list, never the service's own environment."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

ALLOWED = frozenset({"PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "JAVA_HOME", "SLURM_CONF"})
ALLOWED_PREFIXES = ("NXF_", "SGE_")
JOB_NUMBERS = ("SLURM_JOB_ID", "JOB_ID")
"""Where schedulers say in a job's environment which one it is."""
OF_A_SCHEDULER = ("SLURM_", "SGE_")
"""How the names of what a scheduler tells a job begin; a pipeline gets to see it."""
_DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"


def child_environment(own: Mapping[str, str], additions: Mapping[str, str] | None = None) -> dict[str, str]:
    """Choose what a child process gets to see of `own`, and put `additions` over it.

    Secrets, the database address and everything else that is not on the list
    stay behind. The folder of the running Python stands first in PATH, because
    the workflow engines of the same installation live there.

    Decision: G145.
    """
    chosen = {name: value for name, value in own.items() if _is_allowed(name)}
    tools = str(Path(sys.executable).parent)
    chosen["PATH"] = os.pathsep.join((tools, chosen.get("PATH") or _DEFAULT_PATH))
    return chosen | dict(additions or {})


def _is_allowed(name: str) -> bool:
    return name in ALLOWED or name.startswith(ALLOWED_PREFIXES)
