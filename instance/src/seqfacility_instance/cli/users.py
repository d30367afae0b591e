"""Administer accounts from the command line: `users create` makes one."""

import argparse
import json
import sys

from seqfacility_instance.cli.installation import open_installation
from seqfacility_instance.cli.refusal import Refused, read_secret


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subcommand `create`. Gap: G261."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    create = actions.add_parser("create", help="make an account; its password is one line of standard input")
    create.add_argument("--email", required=True, metavar="E")
    create.add_argument("--role", required=True, choices=["RESEARCHER", "FACILITY_ADMIN"])
    create.add_argument("--first-name", required=True, metavar="F")
    create.add_argument("--last-name", required=True, metavar="L")
    create.add_argument("--password-stdin", action="store_true", required=True)


def run(arguments: argparse.Namespace) -> int:
    """Make an account and print it as one JSON line. Gap: G261."""
    from seqfacility_instance.accounts.rules import is_email, normalized_email
    from seqfacility_instance.accounts.service import NewAccount
    from seqfacility_instance.core.vocabulary import Role

    if not is_email(normalized_email(arguments.email)):
        raise Refused(f"{arguments.email} is not an e-mail address")
    password = read_secret("the password")
    account = NewAccount(
        arguments.email, arguments.first_name, arguments.last_name, Role(arguments.role), password
    )
    with open_installation() as services:
        user = services.accounts.create(account)
    sys.stdout.write(json.dumps({"id": user.id, "email": user.email, "role": user.role.value}) + "\n")
    return 0
