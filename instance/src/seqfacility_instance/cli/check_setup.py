"""Check the installation: one line a check, `ok`, `warn` or `fail`, then what it means and what to do.

Exits with 1 when a check fails. The first four lines are what the set-up status of the service reports; a
state directory that this user cannot work in is the only line.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from seqfacility_instance.cli.refusal import home_fault
from seqfacility_instance.settings import read_settings

if TYPE_CHECKING:
    from seqfacility_instance.site.checks import Check


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--public-url",
        metavar="URL",
        help="try uploads, downloads, ranges and size limits through the proxy there as well",
    )
    parser.add_argument(
        "--mail", metavar="ADDRESS", help="send a test mail there, and print what the server says"
    )
    parser.add_argument("--json", action="store_true", help="print a JSON array of {verdict, text}")
    parser.add_argument(
        "--only",
        action="append",
        metavar="WORD",
        help="print the checks that begin with it, for example Process; may be repeated",
    )


def run(arguments: argparse.Namespace) -> int:
    from seqfacility_instance.site.checks import Verdict

    checks = _chosen(_checks(arguments.public_url, arguments.mail), arguments.only or [""])
    if arguments.json:
        listed = [{"verdict": check.verdict.value, "text": check.text} for check in checks]
        sys.stdout.write(f"{json.dumps(listed, indent=2, ensure_ascii=False)}\n")
    else:
        sys.stdout.writelines(f"{check.verdict.value} {check.text}\n" for check in checks)
    return 1 if any(check.verdict is Verdict.FAIL for check in checks) else 0


def _chosen(checks: "Sequence[Check]", prefixes: Sequence[str]) -> "Sequence[Check]":
    """Choose the checks that begin with a prefix, or else those that may have prevented them.

    Decision: G262, G467.
    """
    from seqfacility_instance.site.checks import Verdict

    texts = [check.text.lower() for check in checks]
    unmet = [prefix for prefix in prefixes if not any(text.startswith(prefix.lower()) for text in texts)]
    failed = [check for check in checks if unmet and check.verdict is Verdict.FAIL]
    if not failed:
        sys.stderr.writelines(f"warning: no check begins with {prefix}\n" for prefix in unmet)
    lowered = tuple(prefix.lower() for prefix in prefixes)
    return [check for check in checks if check in failed or check.text.lower().startswith(lowered)]


def _checks(public_url: str | None, address: str | None) -> "Sequence[Check]":
    from seqfacility_instance.site.checks import Check, Verdict
    from seqfacility_instance.site.mail_checks import try_mail
    from seqfacility_instance.wiring import wire

    settings = read_settings(os.environ)
    fault = home_fault(settings.home)
    if fault is not None:
        return [Check(Verdict.FAIL, f"Home: {fault}. Run this as the user of the service.")]
    services = wire(settings)
    checks = services.setup_checks.run()
    if public_url is not None and not any(check.verdict is Verdict.FAIL for check in checks):
        checks += services.proxy_checks.run(public_url)
    if address is not None and services.setup_checks.has_settings():
        with services.database.connection_context():
            checks.append(try_mail(services.mail_sender, address))
    return checks
