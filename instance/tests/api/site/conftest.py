"""Instances in every state before they are ready."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from falcon.testing import TestClient
from seqfacility_instance.app import Composition, create_app
from seqfacility_instance.routes import routes
from seqfacility_instance.settings import read_settings
from seqfacility_instance.tables.base import close_all_connections
from seqfacility_instance.wiring import Services, wire
from seqfacility_schemas import routes as contract_table
from seqfacility_testkit.contract import ContractCheck

Open = Callable[..., tuple[Services, TestClient]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def open_bare(home: Path) -> Iterator[Open]:
    """Open whatever is, or is not, in the state directory; every answer is held against its schema."""
    opened: list[tuple[Services, ContractCheck]] = []

    def open_it(**variables: str) -> tuple[Services, TestClient]:
        services = wire(read_settings({"SEQFACILITY_HOME": str(home), **variables}))
        app = create_app(
            Composition(services.settings, services.database, services.credentials, routes(services))
        )
        contract = ContractCheck(contract_table("instance"), "instance/error")
        app.add_middleware(contract)
        opened.append((services, contract))
        return services, TestClient(app)

    yield open_it
    for services, contract in opened:
        close_all_connections(services.database)
        assert contract.violations == []
