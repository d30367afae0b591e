"""A stand-in for Snakemake that starts in no time: for tests of what happens around an engine.

It takes Snakemake's words, starts processes that leave session and parent, sleeps for the `seconds` of the
configuration, leaves `done.txt` and ends with `code`, as the workflow of the package `sleeper` does.
"""

import sys
from pathlib import Path

_PROGRAM = """\
#!{python} -IS
import json, os, subprocess, sys, time

if "--version" in sys.argv:
    print("9.0.0")
    sys.exit()
with open(sys.argv[sys.argv.index("--configfile") + 1]) as file:
    config = json.load(file)
seconds = float(config.get("seconds", 0))
subprocess.Popen(["sleep", str(seconds + 1)])
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(seconds + 1)
    os._exit(0)
time.sleep(seconds)
with open(os.path.join(config["outdir"], "done.txt"), "w") as file:
    file.write("done")
sys.exit(int(config.get("code", 0)))
"""


def write_stand_in(folder: Path) -> str:
    """Write the program into a folder; return its path, for the setting `snakemakeCommand`."""
    path = folder / "snakemake-stand-in"
    path.write_text(_PROGRAM.format(python=sys.executable), "utf-8")
    path.chmod(0o755)
    return str(path)
