"""The daily poll at real registries: a withdrawn version is learned, an unchanged index is not sent again."""

import json
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import requests
from seqfacility_instance.tables.pipelines import PipelinePackage
from seqfacility_instance.tables.registry_polls import RegistryPoll
from seqfacility_testkit.facility import ADMIN, Facility

CONTENT = Path(__file__).parents[4] / "registry_site/content"
PIPELINE, REASON = "fastq-checksum", "It counts the reads of R2 twice."


@pytest.fixture(scope="module")
def withdrawing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the shipped content, from which the version that came with the service was withdrawn."""
    content = tmp_path_factory.mktemp("withdrawing") / "content"
    shutil.copytree(CONTENT, content, ignore=shutil.ignore_patterns("trust"))
    entry = content / "pipelines" / PIPELINE / "entry.json"
    document = json.loads(entry.read_text("utf-8"))
    document["versions"][-1] |= {"status": "yanked", "yankReason": REASON}
    entry.write_text(json.dumps(document), "utf-8")
    return content


def test_a_version_that_a_registry_withdraws_is_marked_within_a_day(
    facility: Facility, registries: Any, withdrawing: Path, kind: str
) -> None:
    registry = facility.services.runs.pipeline_installation.registry
    address = registries.base_url(kind, withdrawing)
    object.__setattr__(registry.client, "base_url", address)

    for _ in range(2):
        facility.services.worker.tick(facility.clock.now())
        facility.clock.advance(timedelta(days=1))
    first = RegistryPoll.get()
    facility.services.worker.tick(facility.clock.now())
    second = RegistryPoll.get()

    assert PipelinePackage.get(PipelinePackage.pipeline_id == PIPELINE).yank_reason == REASON
    state = facility.sign_in(ADMIN).get("/api/admin/health").json["registry"]
    assert (state["address"], state["error"], state["warnings"]) == (address, None, [])
    assert second.polled_at > first.polled_at
    assert second.index_tag == first.index_tag
    asked = {"If-None-Match": str(first.index_tag), "Accept-Encoding": "gzip"}
    assert requests.get(f"{address}/registry", headers=asked, timeout=60).status_code == 304
