"""Whatever is sent to the real server, its answer is one that the OpenAPI document tells of."""

from pathlib import Path
from typing import Any

import pytest
import requests
from hypothesis import HealthCheck, settings
from schemathesis import Case
from seqfacility_instance.routes import routes
from seqfacility_instance.settings import read_settings
from seqfacility_instance.web.openapi import describe
from seqfacility_instance.wiring import wire
from seqfacility_testkit.api_fuzz import described, send
from seqfacility_testkit.api_stage import Stage
from seqfacility_testkit.soak import rounds

NOWHERE = Path("/nowhere/seqfacility")
DOCUMENT = describe(routes(wire(read_settings({"SEQFACILITY_HOME": str(NOWHERE)}))))
ROUNDS = rounds(short=3, long=100)

api = described(DOCUMENT, ROUNDS)


@pytest.fixture(autouse=True)
def begun(stage: Stage) -> None:
    stage.begin()


@api.parametrize()
@settings(max_examples=ROUNDS, suppress_health_check=list(HealthCheck))
def test_every_answer_is_one_that_the_document_tells_of(case: Case[Any], stage: Stage) -> None:
    stage.fill(case)
    for role in stage.senders(case):
        send(case, stage.live.base, stage.connection, stage.headers(role, case))


def test_the_server_serves_the_document_that_it_is_held_against(stage: Stage) -> None:
    served = requests.get(f"{stage.live.base}/api/openapi.json", timeout=60).json()

    assert served == DOCUMENT


def test_every_operation_has_a_name_of_its_own() -> None:
    names = [
        operation["operationId"]
        for path in DOCUMENT["paths"].values()
        for operation in path.values()
        if isinstance(operation, dict)
    ]

    assert len(names) == len(set(names)) > 150
