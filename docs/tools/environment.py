"""Write docs/environment.md from the variables that the programs say they read."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("wire", "transfer_client")
SOURCES = ("instance", "registry_site", *(f"packages/{name}" for name in PACKAGES))
sys.path[:0] = [str(ROOT / source / "src") for source in SOURCES]

HEAD = """# Environment variables

What a process is told from outside; all else is a setting that an admin changes in the running service.
Written by `python docs/tools/environment.py` from the programs' own lists. An empty variable counts as not
set.
"""
COLUMNS = "| Variable | Meaning | Without it |\n|---|---|---|\n"


def page() -> str:
    """Return the whole page."""
    from seqfacility_client.cli.facility_connection import VARIABLES as OF_CLIENT
    from seqfacility_instance.settings import VARIABLES as OF_INSTANCE
    from seqfacility_registry.settings import VARIABLES as OF_REGISTRY

    instance = [(variable.name, variable.meaning, variable.without) for variable in OF_INSTANCE]
    parts = [("Instance", instance), ("Client", OF_CLIENT), ("Registry", OF_REGISTRY)]
    return HEAD + "".join(
        f"\n## {title}\n\n{COLUMNS}"
        + "".join(f"| `{name}` | {meaning} | {without} |\n" for name, meaning, without in rows)
        for title, rows in parts
    )


if __name__ == "__main__":
    (ROOT / "docs/environment.md").write_text(page(), "utf-8")
