"""What an application start may cost."""

import subprocess
import sys

HEAVY = ("openpyxl", "numpy", "isal", "snakemake", "jsonschema", "pyinotify")


def test_heavy_modules_are_not_imported_before_they_are_used() -> None:
    code = (
        f"import seqfacility_instance.wsgi, sys; print([name for name in {HEAVY!r} if name in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_the_command_line_starts_without_the_service() -> None:
    code = (
        "import seqfacility_instance.cli, sys; print([n for n in ('falcon', 'gunicorn') if n in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
