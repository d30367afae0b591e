"""Make an installation: folders, database, settings, shipped content and the first admin.

Repeating it changes nothing that exists. Without --admin-password-stdin a password is generated and printed
once.
"""

import argparse
import os
import sys

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.cli.refusal import Refused, read_line
from seqfacility_instance.settings import read_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `init`. Gap: G260."""
    parser.add_argument("--admin-email", metavar="E")
    parser.add_argument("--admin-first-name", default="Facility", metavar="F")
    parser.add_argument("--admin-last-name", default="Admin", metavar="L")
    parser.add_argument("--admin-password-stdin", action="store_true")


def run(arguments: argparse.Namespace) -> int:
    """Make what is missing and say what was made. Gap: G260."""
    from seqfacility_instance.accounts.rules import is_email, normalized_email
    from seqfacility_instance.site.installation import FirstAdmin
    from seqfacility_instance.wiring import wire

    admin = None
    if arguments.admin_email is not None:
        if not is_email(normalized_email(arguments.admin_email)):
            raise Refused(f"{arguments.admin_email} is not an e-mail address")
        password = read_line("the password", sys.stdin.readline()) if arguments.admin_password_stdin else None
        admin = FirstAdmin(
            arguments.admin_email, arguments.admin_first_name, arguments.admin_last_name, password
        )
    elif arguments.admin_password_stdin:
        raise Refused("--admin-password-stdin needs --admin-email")
    settings = read_settings(os.environ)
    try:
        report = wire(settings).installation.make(admin)
    except ServiceError as refused:
        raise Refused("; ".join([refused.text, *(refused.details or [])])) from refused
    sys.stdout.write(f"home: {settings.home}\ndatabase: {report.engine}\n")
    if admin is not None:
        sys.stdout.write(f"admin: {normalized_email(admin.email)} {report.admin_outcome.value}\n")
    if report.generated_password is not None:
        sys.stdout.write(f"password: {report.generated_password}\n")
    return 0
