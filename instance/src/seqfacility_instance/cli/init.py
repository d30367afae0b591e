"""Make an installation: folders, database, settings, shipped content and the first admin.

Repeating it changes nothing that exists. Without --admin-password-stdin a password is generated and printed
once. A profile is checked and shown before anything is made, and applied all or nothing; on a terminal `init`
asks first. Standard input holds the password first, the access code second, each on a line.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from seqfacility_wire.command_line.refusal import Refused, WrongUsage, read_secret
from seqfacility_wire.errors import ServiceError

from seqfacility_instance.settings import read_settings

if TYPE_CHECKING:
    from seqfacility_instance.site.installation import FirstAdmin
    from seqfacility_instance.wiring import Services

EXAMPLES = """\
examples:
  seqfacility init --admin-email you@example.org
  seqfacility init --admin-email you@example.org --admin-password-stdin < password.txt
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--admin-email", metavar="E", help="make a facility admin")
    parser.add_argument("--admin-first-name", default="Facility", metavar="F", help="given name")
    parser.add_argument("--admin-last-name", default="Admin", metavar="L", help="family name")
    parser.add_argument("--admin-password-stdin", action="store_true", help="the admin's password")
    parser.add_argument(
        "--new-key", action="store_true", help="the key is lost: make another, give stored secrets up"
    )
    parser.add_argument(
        "--claim", action="store_true", help="this state directory and data folder belong to this facility"
    )
    parser.add_argument("--profile", metavar="FILE or URL", help="a resolved install profile")
    parser.add_argument("--access-code-stdin", action="store_true", help="the profile's access code")
    parser.add_argument("--insecure", action="store_true", help="send the access code without TLS, too")
    parser.add_argument("--yes", action="store_true", help="apply the profile without asking")
    parser.add_argument("--json", action="store_true", help="print what was made as one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Create what is missing and print it. Decision: G242, G260, G407, G408."""
    from seqfacility_instance.accounts.rules import normalized_email
    from seqfacility_instance.wiring import wire

    _check_usage(arguments)
    admin = _first_admin(arguments)
    code = read_secret("the access code") if arguments.access_code_stdin else None
    services = wire(read_settings(os.environ))
    with _refusing():
        profile = None
        if arguments.profile is not None:
            with _existing_database(services) as has_database:
                profile = services.install_profiles.read(
                    arguments.profile,
                    code,
                    is_clear_allowed=arguments.insecure,
                    has_database=has_database,
                )
            _show_profile(profile, is_sure=arguments.yes)
        report = services.installation.make(admin, has_new_key=arguments.new_key, is_claimed=arguments.claim)
    result: dict[str, str | dict[str, str]] = {"home": str(services.settings.home), "database": report.engine}
    if admin is not None:
        outcome = report.admin_outcome.value
        result["admin"] = {"email": normalized_email(admin.email), "outcome": outcome}
    if report.generated_password is not None:
        result["password"] = report.generated_password
    try:
        if profile is not None:
            with _refusing(), services.database.connection_context():
                outcome = "applied" if services.install_profiles.apply(profile) else "existing"
            result["profile"] = {"id": profile["id"], "version": profile["version"], "outcome": outcome}
    finally:
        # WHY: also when the profile is refused: a generated password is shown once.
        _print_result(result, as_json=arguments.json)
    return 0


def _print_result(result: Mapping[str, str | dict[str, str]], *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json.dumps(result, indent=2) + "\n")
        return
    for name, value in result.items():
        sys.stdout.write(f"{name}: {value if isinstance(value, str) else ' '.join(value.values())}\n")


def _check_usage(arguments: argparse.Namespace) -> None:
    if arguments.admin_password_stdin and arguments.admin_email is None:
        raise WrongUsage("--admin-password-stdin needs --admin-email")
    if arguments.access_code_stdin and arguments.profile is None:
        raise WrongUsage("--access-code-stdin needs --profile")


def _show_profile(profile: Mapping[str, Any], *, is_sure: bool) -> None:
    """Print what a profile sets and ask for confirmation at the terminal; raises `Refused` for a no.

    Decision: G407.
    """
    from seqfacility_instance.install_profiles.rules import changes

    sys.stdout.write(f"profile {profile['id']} {profile['version']} sets:\n")
    sys.stdout.writelines(f"  {line}\n" for line in changes(profile))
    if is_sure or not sys.stdin.isatty():
        return
    sys.stdout.write("Apply it? [y/N] ")
    sys.stdout.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise Refused("the profile was not applied, and nothing was made")


def _first_admin(arguments: argparse.Namespace) -> "FirstAdmin | None":
    from seqfacility_instance.accounts.rules import is_email, normalized_email
    from seqfacility_instance.site.installation import FirstAdmin

    if arguments.admin_email is None:
        return None
    if not is_email(normalized_email(arguments.admin_email)):
        raise Refused(f"{arguments.admin_email} is not an e-mail address")
    password = read_secret("the password") if arguments.admin_password_stdin else None
    return FirstAdmin(arguments.admin_email, arguments.admin_first_name, arguments.admin_last_name, password)


@contextmanager
def _existing_database(services: "Services") -> Iterator[bool]:
    """Connect to the database when a former `init` has made one that keeps what was verified.

    Decision: G1104.
    """
    from seqfacility_instance.tables.base import is_missing

    if is_missing(services.database):
        yield False
        return
    with services.database.connection_context():
        yield services.database.table_exists("registry_trust")


@contextmanager
def _refusing() -> Iterator[None]:
    """Raise a refusal of the service as one of the command."""
    try:
        yield
    except ServiceError as refused:
        raise Refused("; ".join([refused.text, *(refused.details or [])])) from refused
