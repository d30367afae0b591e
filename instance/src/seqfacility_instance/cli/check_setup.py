"""Check the installation: one line a check, `ok`, `warn` or `fail`, then what it means and what to do.

Exits with 1 when a check fails. The first four lines are what the set-up status of the service reports.
"""

import argparse
import os
import sys

from seqfacility_instance.settings import read_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the option of `check-setup`. Gap: G262."""
    parser.add_argument(
        "--public-url",
        metavar="URL",
        help="try uploads, downloads, ranges and size limits through the proxy there as well",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the checks. Gap: G262."""
    from seqfacility_instance.site.checks import Verdict
    from seqfacility_instance.wiring import wire

    services = wire(read_settings(os.environ))
    checks = services.setup_checks.run()
    if arguments.public_url is not None and not any(check.verdict is Verdict.FAIL for check in checks):
        checks += services.proxy_checks.run(arguments.public_url)
    for check in checks:
        sys.stdout.write(f"{check.verdict.value} {check.text}\n")
    return 1 if any(check.verdict is Verdict.FAIL for check in checks) else 0
