"""Whatever is sent to the real registry, its answer is one that the OpenAPI document tells of."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from hypothesis import HealthCheck, settings
from schemathesis import Case
from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.install_profiles.throttle import AccessCodeThrottle
from seqfacility_registry.links import Links
from seqfacility_registry.routes import routes
from seqfacility_registry.settings import Settings
from seqfacility_registry.site.openapi import describe
from seqfacility_registry.site.resources import FileList
from seqfacility_testkit.api_fuzz import chance, described, send
from seqfacility_testkit.processes import Processes
from seqfacility_testkit.soak import record, rounds

NOWHERE = Path("/nowhere/seqfacility")
CONTENT, LINKS = ContentFolder(NOWHERE), Links(None)
DOCUMENT = describe(
    routes(
        Settings(NOWHERE, NOWHERE, public_url=None), CONTENT, AccessCodeThrottle(), FileList(CONTENT, LINKS)
    )
)
ROUNDS = rounds(short=10, long=500)
IDS = {
    "pipeline_id": "read-counter",
    "version": "1.10.0",
    "profile_id": "open",
    "shelf": "checklists",
    "name": "soil.svg",
    "descriptor_type": "NFL",
    "relative_path": "main.nf",
}

api = described(DOCUMENT, ROUNDS)


@pytest.fixture(scope="session")
def served(
    small_content: Path, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[tuple[str, list[str]]]:
    """Serve the small content for all operations of this test process; return the address, and who asked."""
    folder = tmp_path_factory.mktemp("fuzzed")
    environment = {
        "SEQFACILITY_REGISTRY_CONTENT": str(small_content),
        "SEQFACILITY_REGISTRY_SECRETS": str(folder / "secrets"),
        "SEQFACILITY_REGISTRY_PUBLIC_URL": "",
    }
    processes, asked = Processes(folder / "logs"), list[str]()
    try:
        process = processes.start(
            "seqfacility_registry", "serve", "--bind", "127.0.0.1:0", environment=environment
        )
        yield process.url(), asked
        if request.session.testsfailed == 0:
            record(
                "No request brings the registry to a 5xx, and each answer is as the OpenAPI document says",
                tried=f"{len(asked)} generated requests to every operation",
                found="no 5xx, no undocumented status, type or header, no answer outside its schema",
            )
    finally:
        processes.stop_all()


@api.parametrize()
@settings(max_examples=ROUNDS, suppress_health_check=list(HealthCheck))
def test_every_answer_is_one_that_the_document_tells_of(
    case: Case[Any], served: tuple[str, list[str]]
) -> None:
    url, asked = served
    for name, value in (case.path_parameters or {}).items():
        if chance(value, 3):
            case.path_parameters[name] = "start.js" if "/docs/" in case.path else IDS[name]
    with requests.Session() as session:
        send(case, url, session, {})
    asked.append(case.path)


def test_the_registry_serves_the_document_that_it_is_held_against(served: tuple[str, list[str]]) -> None:
    assert requests.get(f"{served[0]}/api/openapi.json", timeout=60).json() == DOCUMENT
