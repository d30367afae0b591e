"""Check the installation: one line a check, `ok`, `warn` or `fail`, then what it means and what to do.

Exits with 1 when a check fails. The first four lines are what the set-up status of the service reports.
"""

import argparse
import os
import sys

from seqfacility_instance.settings import read_settings


def add_arguments(_parser: argparse.ArgumentParser) -> None:
    """`check-setup` has no options. Gap: G262."""


def run(_arguments: argparse.Namespace) -> int:
    """Print the checks. Gap: G262."""
    from seqfacility_instance.site.checks import Verdict
    from seqfacility_instance.wiring import wire

    checks = wire(read_settings(os.environ)).setup_checks.run()
    for check in checks:
        sys.stdout.write(f"{check.verdict.value} {check.text}\n")
    return 1 if any(check.verdict is Verdict.FAIL for check in checks) else 0
