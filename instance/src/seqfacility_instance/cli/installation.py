"""What commands on an existing installation share: opening it, and refusing when they cannot."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from seqfacility_wire.command_line.refusal import Refused, one_line
from seqfacility_wire.errors import ServiceError

from seqfacility_instance.cli.refusal import existing_home
from seqfacility_instance.settings import read_settings

if TYPE_CHECKING:
    from seqfacility_instance.settings import Settings
    from seqfacility_instance.wiring import Services

_log = logging.getLogger("seqfacility.cli")


def ready_services(*, settles: bool = True) -> "Services":
    """Wire the installation of this environment, nothing connected yet.

    Raises `PeeweeException` when the database does not answer, and `Refused` when `init` has not run, the
    schema is another one, or, unless it `settles` nothing, when key or folders are those of another facility.

    Decision: G257, G263, G408.
    """
    from seqfacility_instance import migrations
    from seqfacility_instance.wiring import wire

    settings = read_settings(os.environ)
    existing_home(settings.home)
    services = wire(settings)
    if migrations.pending(services.database):
        raise Refused("the database schema is older than this release; run `seqfacility migrate`")
    if settles:
        _settle(services)
    return services


def warn_of_refused_folders(services: "Services") -> None:
    """Log each folder of the settings that this release refuses and an older one has stored.

    Decision: G497.
    """
    with services.database.connection_context():
        for refused in services.facility.refused_folders():
            _log.warning("%s, and counts as not set; set another folder on the settings page", refused)


def database_fault(failed: BaseException) -> str | None:
    """Return in a line why the database cannot be reached, with its address; None when it is something else.

    Decision: G466.
    """
    from peewee import PeeweeException

    from seqfacility_instance.tables.errors import driver_message, is_unavailable

    if not isinstance(failed, PeeweeException) or not is_unavailable(failed):
        return None
    address = read_settings(os.environ).shown_database
    return f"the database is not reachable: {address}: {driver_message(failed)}"


def check_before_serving(settings: "Settings") -> None:
    """Raise `Refused` when the web processes would serve with the key or folders of another facility.

    A database that does not answer, or has no schema yet, is no refusal: they then answer 503. Folders that
    count as not set are logged.

    Decision: G263, G408, G497.
    """
    from peewee import PeeweeException

    from seqfacility_instance import migrations
    from seqfacility_instance.tables.base import close_all_connections, is_missing
    from seqfacility_instance.wiring import wire

    existing_home(settings.home)
    services = wire(settings)
    try:
        if not is_missing(services.database) and not migrations.pending(services.database):
            _settle(services)
            warn_of_refused_folders(services)
    except PeeweeException:
        return
    finally:
        close_all_connections(services.database)


def _settle(services: "Services") -> None:
    try:
        with services.database.connection_context():
            services.identity.settle()
    except ServiceError as refused:
        raise Refused(refused.text) from refused


@contextmanager
def open_installation() -> Iterator["Services"]:
    """Return the connected services of this installation to one command.

    Raises `Refused` as `ready_services`, and with the words of any refusal that the command meets, followed
    by what is noted of it: a registry's address and why it cannot be read.

    Decision: G259, G486.
    """
    services = ready_services()
    try:
        with services.database.connection_context():
            yield services
    except ServiceError as refused:
        notes: list[str] = getattr(refused, "__notes__", [])
        raise Refused(one_line(refused.text, [*(refused.details or []), *notes])) from refused
