"""Whatever a registry does, an admin gets a documented answer in time and nothing is stored."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest
import requests
from seqfacility_testkit.hostile_registry import BEHAVIOURS, HostileRegistry
from seqfacility_testkit.live import LiveClient, LiveFacility

CATALOG = "/api/admin/sequencing-tech"
CHECKLISTS = "/api/admin/mixs-checklists"
PIPELINES = "/api/admin/pipelines"
PATIENCE_SECONDS = 120
"""Nobody waits longer than the ten seconds that a registry has, also on a busy machine."""


@dataclass(frozen=True)
class Failure:
    """What the answers say when a registry fails in one way."""

    of_catalog: str
    of_others: str

    @property
    def of_installation(self) -> tuple[int, str]:
        """A registry's 404 for an entry says something about the pipeline, not about the registry."""
        return (404, "Pipeline not found") if self.of_others == "API returned 404" else (502, self.of_others)


def refused(status: int) -> Failure:
    return Failure(f"API returned {status}", f"API returned {status}")


UNREACHABLE = Failure("Registry is not reachable", "Registry is not reachable")
INVALID = Failure("Registry returned invalid sequencing tech config", "Registry returned an invalid answer")
ANSWERED = {
    "unknown": refused(404),
    "broken": refused(500),
    "teapot": refused(418),
    "redirect to nowhere": refused(302),
    "a part": refused(206),
    # Larger than a catalog may be, and no larger than another document.
    "millions of values": Failure("Registry is not reachable", "Registry returned an invalid answer"),
}
READ_AND_REFUSED = {
    "not json", "nothing", "no content", "not text", "not a number", "deep", "array", "null", "string",
    "wrong shape", "a number beyond double precision", "half a character", "a NUL", "a key twice",
}  # fmt: skip
EXPECTED = {
    name: ANSWERED.get(name) or (INVALID if name in READ_AND_REFUSED else UNREACHABLE) for name in BEHAVIOURS
}


def state_of(admin: LiveClient, instance: LiveFacility) -> tuple[object, ...]:
    """Return everything that a registry could have changed."""
    overview = admin.get(CHECKLISTS).json()
    del overview["lastCheckedAt"]
    packages = sorted(path.name for path in (instance.home / "packages").iterdir())
    return admin.get(CATALOG).json(), overview, admin.get(PIPELINES).json(), packages


@pytest.mark.parametrize("behaviour", BEHAVIOURS)
def test_every_read_is_refused_in_documented_words_and_stores_nothing(
    hostile: tuple[HostileRegistry, LiveFacility], behaviour: str
) -> None:
    registry, instance = hostile
    registry.behaviour = behaviour
    expected = EXPECTED[behaviour]
    admin = instance.sign_in()
    before = state_of(admin, instance)

    def asked(path: str, body: dict[str, str]) -> tuple[int, object]:
        answer = admin.post(path, json=body, timeout=PATIENCE_SECONDS)
        return answer.status_code, answer.json()

    with ThreadPoolExecutor(6) as people:
        syncs = [
            people.submit(asked, path, {"action": action})
            for path in (CATALOG, CHECKLISTS)
            for action in ("check-updates", "apply-updates")
        ]
        install = people.submit(asked, f"{PIPELINES}/install", {"pipelineId": "reads-qc", "version": "9.9"})
        store = people.submit(admin.get, f"{PIPELINES}/store", timeout=PATIENCE_SECONDS)

    assert [sync.result() for sync in syncs] == [
        *[(502, {"error": expected.of_catalog})] * 2,
        *[(502, {"error": expected.of_others})] * 2,
    ]
    status, error = expected.of_installation
    assert install.result() == (status, {"error": error})
    assert store.result().status_code == 200
    assert store.result().json() == {
        "registry": {"url": f"{registry.origin}/api", "reachable": False, "error": expected.of_others},
        "lastUpdated": None,
        "categories": [],
        "pipelines": [],
        "warnings": [],
    }
    assert state_of(admin, instance) == before
    assert instance.server is not None
    assert "Traceback" not in instance.server.log


def test_people_who_read_the_catalog_first_get_an_empty_one_from_a_registry_that_never_answers(
    hostile: tuple[HostileRegistry, LiveFacility],
) -> None:
    registry, instance = hostile
    registry.behaviour = "never answers"
    registry.asked.clear()

    def read(_reader: int) -> requests.Response:
        return requests.get(f"{instance.base}/api/sequencing-tech", timeout=PATIENCE_SECONDS)

    with ThreadPoolExecutor(4) as readers:
        answers = list(readers.map(read, range(4)))

    assert [answer.status_code for answer in answers] == [200] * 4
    assert [set(map(str, answer.json().values())) for answer in answers] == [{"[]"}] * 4
    assert registry.asked == ["/api/registry/sequencing-tech"]
