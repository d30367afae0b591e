"""A real server for the generated requests."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_instance.accounts.service import NewAccount
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.settings import read_settings
from seqfacility_instance.tables.base import close_all_connections
from seqfacility_instance.tables.site import SiteSettings
from seqfacility_instance.wiring import wire
from seqfacility_testkit.api_stage import SECRET, SPARE, Stage
from seqfacility_testkit.facility import PASSWORD, move_folders
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.registry import StandInRegistry
from seqfacility_testkit.soak import record


@pytest.fixture(scope="session")
def stage(
    facility_template: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Stage]:
    """Serve an instance with real gunicorn, for all operations of this test process."""
    folder = tmp_path_factory.mktemp("served")
    home = folder / "home"
    shutil.copytree(facility_template, home)
    move_folders(home)
    processes = Processes(folder / "logs")
    with StandInRegistry() as registry:
        environment = {"SERVICE_API_URL": registry.base_url}
        services = wire(read_settings({"SEQFACILITY_HOME": str(home), **environment}))
        services.database.connect()
        services.accounts.create(NewAccount(SPARE, "Mary", "Anning", Role.RESEARCHER, PASSWORD))
        services.facility.change("execution", {"weblogSecret": SECRET}, services.clock.now())
        row = SiteSettings.get()
        kept = {"modules_config": row.modules_config, "extra_settings": row.extra_settings}
        live = LiveFacility(home, processes, environment=environment, workers=1)
        try:
            live.serve()
            stage = Stage(live, services, registry, kept)
            yield stage
            if request.session.testsfailed == 0:
                record(
                    "No request brings an instance to a 5xx, and each answer is as the OpenAPI document says",
                    tried=f"{stage.sent} generated requests to every operation, as admin and as researcher",
                    found="no 5xx, no undocumented status, type or header, no answer outside its schema",
                )
        finally:
            processes.stop_all()
            close_all_connections(services.database)
            sys.stdout.write(processes.logs()[-20_000:])
