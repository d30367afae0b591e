"""A registry whose documents are almost right: refused in documented words, or stored as something valid."""

import json
import random
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from falcon.testing import Result
from seqfacility_pipeline_package.package import read_package
from seqfacility_pipeline_package.payload import payload_digest
from seqfacility_schemas import Profile
from seqfacility_testkit.facility import Facility, open_facility
from seqfacility_testkit.mutations import mutated
from seqfacility_testkit.processes import whole_environment
from seqfacility_testkit.registry import StandInRegistry
from seqfacility_testkit.soak import record, rounds
from seqfacility_wire.errors import ServiceError

BATCHES = rounds(short=1, long=22)
DOCUMENTS = 30
"""Of one facility; the next ones go to a fresh one."""

CONTENT = Path(__file__).parents[4] / "registry_site/content"
KINDS = ("index", "entry", "package", "catalog", "checklists", "profile")
PIPELINE = "detaxizer"
ADMIN_PIPELINES = "/api/admin/pipelines"
LISTS = {"catalog": "/api/admin/sequencing-tech", "checklists": "/api/admin/mixs-checklists"}
SHOWN = {
    "catalog": ("/api/admin/sequencing-tech", "/api/sequencing-tech"),
    "checklists": ("/api/admin/mixs-checklists", "/api/mixs-checklists", "/api/mixs-templates"),
    "profile": ("/api/admin/settings", "/api/form-schema", "/api/study-form-schema", ADMIN_PIPELINES),
    "pipeline": ("/api/pipelines", ADMIN_PIPELINES, "/api/admin/databases"),
}
"""Where what was stored of each kind of documents is read again."""

MEMORY_BYTES = 96 * 2**20
"""How much the process may grow after the first batch."""


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return every document of the shipped content, by its path."""
    root = tmp_path_factory.mktemp("registry") / "root"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "seqfacility_registry",
            "export",
            root,
            "--public-url",
            "http://r.example/api",
        ],
        env=whole_environment({"SEQFACILITY_REGISTRY_CONTENT": str(CONTENT)}),
        check=True,
        capture_output=True,
    )
    return {
        f"/{file.parent.relative_to(root)}": json.loads(file.read_bytes())
        for file in root.glob("api/**/index.json")
    }


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Iterator[StandInRegistry]:
    with StandInRegistry() as registry:
        monkeypatch.setenv("SERVICE_API_URL", registry.base_url)
        yield registry


class Attack:
    """One facility that reads documents of a registry, and what came of each."""

    def __init__(
        self,
        facility: Facility,
        registry: StandInRegistry,
        published: dict[str, Any],
        dice: random.Random,
        outcomes: Counter[str],
    ) -> None:
        self.facility, self.registry, self.dice, self.outcomes = facility, registry, dice, outcomes
        self.published = published
        self.version = 100

    def put_back(self) -> None:
        self.registry.answers = {path: json.dumps(body).encode() for path, body in self.published.items()}

    def note(self, answer: Result) -> bool:
        """Count an answer; True when something was taken."""
        assert answer.status_code < 500 or answer.status_code == 502, answer.text
        is_taken = answer.status_code < 400
        self.outcomes["taken" if is_taken else "refused"] += 1
        return is_taken

    def read(self, kind: str) -> None:
        if kind == "index":
            self.change("/api/registry")
            self.note(self.facility.admin.get(f"{ADMIN_PIPELINES}/store"))
        elif kind in {"entry", "package"}:
            self.install(kind)
        elif kind == "profile":
            self.apply_profile()
        else:
            self.update(kind)

    def change(self, path: str, document: Any = None) -> None:
        self.registry.answers[path] = mutated(
            self.published[path] if document is None else document, self.dice
        )

    def install(self, kind: str) -> None:
        entry = deepcopy(self.published[f"/api/registry/{PIPELINE}"])
        version = self.dice.choice(entry["versions"])
        path = f"/api/registry/pipelines/{PIPELINE}/{version['version']}/download"
        if kind == "entry":
            self.change(f"/api/registry/{PIPELINE}")
        else:
            self.change(path)
            with suppress(ValueError, TypeError, AttributeError):
                # A hostile registry announces the digest of what it sends.
                payload = json.loads(self.registry.answers[path])
                version["sha256"] = payload["sha256"] = payload_digest(payload)
                self.registry.answers[path] = json.dumps(payload).encode()
                self.registry.answers[f"/api/registry/{PIPELINE}"] = json.dumps(entry).encode()
        wanted = {"pipelineId": PIPELINE, "version": self.dice.choice([version["version"], None])}
        if self.note(self.facility.admin.post(f"{ADMIN_PIPELINES}/install", wanted)):
            self.use_pipeline()

    def use_pipeline(self) -> None:
        admin, path = self.facility.admin, f"{ADMIN_PIPELINES}/{PIPELINE}"
        for folder in (self.facility.home / "packages" / PIPELINE).glob(f"*/{PIPELINE}"):
            read_package(folder, Profile.CONSUMER)
        answers = [
            admin.put(path, {"enabled": True}),
            *(admin.get(f"{path}/readiness"), admin.get(f"/api/pipelines/{PIPELINE}/definition")),
        ]
        assert all(answer.status_code < 500 for answer in answers), [one.text for one in answers]
        self.check_state("pipeline")
        assert admin.delete(path).status_code == 200

    def update(self, kind: str) -> None:
        path = {"catalog": "/api/registry/sequencing-tech", "checklists": "/api/registry/mixs"}[kind]
        self.version += 1
        self.change(path, {**self.published[path], "version": self.version})
        force = {"force": True} if self.dice.random() < 0.7 else {}
        self.note(self.facility.admin.post(LISTS[kind], {"action": "check-updates"}))
        if self.note(self.facility.admin.post(LISTS[kind], {"action": "apply-updates", **force})):
            self.check_state(kind)

    def apply_profile(self) -> None:
        profiles = [path for path in self.published if path.endswith("/resolve")]
        path = self.dice.choice(profiles)
        self.change(path)
        install_profiles = self.facility.services.install_profiles
        try:
            install_profiles.apply(install_profiles.read(self.registry.url(path), None))
        except ServiceError:
            self.outcomes["refused"] += 1
        else:
            self.outcomes["taken"] += 1
            self.check_state("profile")

    def check_state(self, kind: str) -> None:
        """Read what was stored; the facility holds each answer against its schema."""
        answers = [self.facility.admin.get(path) for path in SHOWN[kind]]
        assert all(answer.status_code < 500 for answer in answers), [one.text for one in answers]


def resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize()


def test_documents_that_are_almost_right_never_break_a_facility(
    facility_template: Path, tmp_path: Path, registry: StandInRegistry, published: dict[str, Any]
) -> None:
    dice = random.Random("mutations")  # noqa: S311  # the same documents every time
    outcomes: Counter[str] = Counter()
    after_first_batch = 0
    for batch in range(BATCHES):
        facility = open_facility(facility_template, tmp_path / str(batch))
        attack = Attack(facility, registry, published, dice, outcomes)
        for number in range(DOCUMENTS):
            attack.put_back()
            # What a profile sets holds for the rest, so these come last.
            is_late = number >= DOCUMENTS * (len(KINDS) - 1) // len(KINDS)
            attack.read("profile" if is_late else KINDS[number % (len(KINDS) - 1)])
            assert facility.contract.violations == []
        facility.close()
        after_first_batch = after_first_batch or resident_bytes()

    grown = resident_bytes() - after_first_batch
    assert grown < MEMORY_BYTES
    record(
        "Whatever a registry publishes, it is refused in documented words or stored as something valid",
        tried=f"{BATCHES * DOCUMENTS:,} random changes of the shipped index, entries, packages, catalog, "
        "checklists and install profiles, read from a real HTTP server",
        found=f"{outcomes['refused']:,} refused, {outcomes['taken']:,} taken, no 500; every state that was "
        f"stored fits its schemas; the process grew by {max(grown, 0) // 2**20} MiB",
    )
