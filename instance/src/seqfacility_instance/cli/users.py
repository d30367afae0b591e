"""Administer accounts: list, make, deactivate, reset, give a role, export or erase a person.

Every change is in the audit trail, as of nobody with a session. The last active facility admin stays one.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from seqfacility_wire.command_line.refusal import Refused, read_secret
from seqfacility_wire.timestamps import format_optional_time

from seqfacility_instance.cli.installation import open_installation

if TYPE_CHECKING:
    from datetime import datetime

    from seqfacility_instance.accounts.commands import AccountCommands
    from seqfacility_instance.tables.people import User

ROLES = ["RESEARCHER", "FACILITY_ADMIN"]
EXAMPLES = """\
examples:
  seqfacility users list
  seqfacility users create --email ada@lab.example --role RESEARCHER --first-name Ada --last-name Lake \\
      --password-stdin < password.txt
  seqfacility users reset ada@lab.example
  seqfacility users reset-second-factor ada@lab.example
  seqfacility users role ada@lab.example FACILITY_ADMIN
  seqfacility users export ada@lab.example --output ada.json
  seqfacility users erase ada@lab.example            (tells what it would do; --yes does it)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION", title="actions")
    listing = actions.add_parser("list", help="show every account, a line each")
    listing.add_argument("--json", action="store_true", help="print the accounts as one JSON array")
    create = actions.add_parser("create", help="make an account; its password is one line of standard input")
    create.add_argument("--email", required=True, metavar="E")
    create.add_argument("--role", required=True, choices=ROLES)
    create.add_argument("--first-name", required=True, metavar="F")
    create.add_argument("--last-name", required=True, metavar="L")
    create.add_argument("--password-stdin", action="store_true", required=True)
    reset = actions.add_parser("reset", help="give an account a new password and end its sessions")
    reset.add_argument(
        "--password-stdin",
        action="store_true",
        help="the password is one line of standard input; without this one is generated and printed once",
    )
    second_factor = actions.add_parser(
        "reset-second-factor", help="remove the second factor of a person who lost it"
    )
    deactivate = actions.add_parser("deactivate", help="keep a person out; what is theirs stays")
    activate = actions.add_parser(
        "activate", help="let a person in, or in again; approves an account that waits"
    )
    role = actions.add_parser("role", help="give an account another role")
    for action in (reset, second_factor, deactivate, activate, role):
        action.add_argument("email", metavar="EMAIL")
    role.add_argument("role", choices=ROLES)
    export = actions.add_parser("export", help="print what is stored about a person as one JSON document")
    export.add_argument("email", metavar="EMAIL")
    export.add_argument("--output", metavar="FILE", type=Path, help="a new file that only you can read")
    erase = actions.add_parser("erase", help="replace a person by a pseudonym, for good")
    erase.add_argument("email", metavar="EMAIL")
    erase.add_argument("--yes", action="store_true", help="do it; without this it is only told what it does")


def run(arguments: argparse.Namespace) -> int:
    """Run one action and print the account as one JSON line. Decision: G261, G472."""
    from seqfacility_instance.accounts.commands import AccountCommands
    from seqfacility_instance.core.vocabulary.people import Role

    if arguments.action == "create":
        return _create(arguments)
    with open_installation() as services:
        accounts = AccountCommands(services.people.people, services.people.second_factors)
        match arguments.action:
            case "list":
                _print_list(accounts.list_all(), as_json=arguments.json)
            case "reset":
                _reset(accounts, arguments)
            case "reset-second-factor":
                _print(accounts.reset_second_factor(arguments.email))
            case "role":
                _print(accounts.change(arguments.email, {"role": Role(arguments.role)}))
            case "export":
                _export(accounts.get(arguments.email), services.clock.now(), arguments.output)
            case "erase":
                _erase(accounts.get(arguments.email), services.clock.now(), is_rehearsal=not arguments.yes)
            case _:
                is_active = arguments.action == "activate"
                _print(accounts.change(arguments.email, {"is_active": is_active}))
    return 0


def _create(arguments: argparse.Namespace) -> int:
    from seqfacility_instance.accounts.rules import is_email, normalized_email
    from seqfacility_instance.accounts.service import NewAccount
    from seqfacility_instance.core.vocabulary.people import Role

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


def _reset(accounts: "AccountCommands", arguments: argparse.Namespace) -> None:
    password = read_secret("the password") if arguments.password_stdin else None
    user, generated = accounts.reset_password(arguments.email, password)
    _print(user, {} if generated is None else {"password": generated})


def _export(user: "User", now: "datetime", output: Path | None) -> None:
    from seqfacility_instance.core.private_files import write_new_private
    from seqfacility_instance.personal_data.export import export

    text = json.dumps(export(user, now), indent=2) + "\n"
    if output is None:
        sys.stdout.write(text)
        return
    try:
        write_new_private(output, text)
    except OSError as failed:
        raise Refused(f"{output} cannot be written: {failed.strerror}") from failed


def _erase(user: "User", now: "datetime", *, is_rehearsal: bool) -> None:
    from seqfacility_instance.personal_data.erasure import NOT_REACHED, erase

    erased = erase(user, now, is_rehearsal=is_rehearsal)
    answer = {
        "id": user.id,
        "erased": not is_rehearsal,
        "name": erased.pseudonym,
        "email": erased.email,
        "removed": erased.removed,
        "freeText": erased.free_text,
        "stays": NOT_REACHED,
    }
    sys.stdout.write(json.dumps(answer, indent=2) + "\n")
    if is_rehearsal:
        sys.stderr.write("nothing was changed; run it again with --yes to erase this person\n")


def _print_list(users: "list[User]", *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps([_shape(user) for user in users], indent=2) + "\n")
        return
    rows = [
        (
            user.email,
            user.role.value,
            _status(user),
            format_optional_time(user.last_sign_in_at) or "never signed in",
            f"{user.first_name} {user.last_name}",
        )
        for user in users
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        sys.stdout.write("  ".join(cells).rstrip() + "\n")


def _print(user: "User", more: Mapping[str, object] | None = None) -> None:
    sys.stdout.write(json.dumps({**_shape(user), **(more or {})}) + "\n")


def _status(user: "User") -> str:
    """Return `active`, `inactive`, or `waiting` for approval. Decision: G410, G472."""
    if user.pending_since is not None:
        return "waiting"
    return "active" if user.is_active else "inactive"


def _shape(user: "User") -> dict[str, object]:
    pending = {} if user.pending_since is None else {"pendingApproval": True}
    return {
        "id": user.id,
        "email": user.email,
        "firstName": user.first_name,
        "lastName": user.last_name,
        "role": user.role.value,
        "isActive": user.is_active,
        "lastSignInAt": format_optional_time(user.last_sign_in_at),
        **pending,
    }
