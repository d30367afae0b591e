"""An empty PostgreSQL database, where there is a server to be had."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_testkit import postgresql


@pytest.fixture
def empty_postgresql(postgresql_socket: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    name = f"t{os.getpid()}_{abs(hash(request.node.nodeid)):x}"
    with postgresql.fresh_database(postgresql_socket, name) as url:
        yield url
