"""Starts of a facility at a given moment, for processes of a test that a pool starts anew."""

import os
import time
from pathlib import Path

from seqfacility_instance.facility_settings.identity_record import find_identity
from seqfacility_instance.settings import read_settings
from seqfacility_instance.site.identity import NotThisFacility
from seqfacility_instance.tables.base import close_all_connections
from seqfacility_instance.wiring import Services, wire

REFUSED = "refused"


def services_of(home: Path) -> Services:
    variables = {"SEQFACILITY_HOME": str(home), "SEQFACILITY_DATABASE_URL": ""}
    return wire(read_settings({**os.environ, **variables}))


def settled(home: Path, at: float) -> str:
    """Run what every start does first at a given time; return the id of the facility."""
    services = services_of(home)
    time.sleep(max(0, at - time.time()))
    try:
        with services.database.connection_context():
            services.identity.settle()
            found = find_identity()
            assert found is not None
            return found.facility_id
    except NotThisFacility:
        return REFUSED
    finally:
        close_all_connections(services.database)
