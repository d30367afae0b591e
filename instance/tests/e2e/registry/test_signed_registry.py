"""The shipped content, signed by the registry's own commands, and an instance that requires signatures."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from seqfacility_instance.tables.registry_trust import RegistryTrust
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.signed_registry import SignedRegistry, sign_registry

CONTENT = Path(__file__).parents[4] / "registry_site/content"


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> SignedRegistry:
    """Return the shipped content, signed with new keys."""
    folder = tmp_path_factory.mktemp("signed")
    shutil.copytree(CONTENT, folder / "content", ignore=shutil.ignore_patterns("trust"))
    return sign_registry(folder / "content", folder / "keys")


@pytest.fixture
def trusting(facility: Facility, registries: Any, signed: SignedRegistry, kind: str) -> Facility:
    """Return an instance that reads the signed content, its root pinned."""
    trusted = facility.services.runs.pipeline_installation.registry
    object.__setattr__(trusted.client, "base_url", registries.base_url(kind, signed.content))
    object.__setattr__(trusted, "pinned_root", signed.root_file)
    return facility


def test_everything_that_an_instance_reads_of_a_registry_is_signed(trusting: Facility) -> None:
    admin = trusting.admin

    store = admin.get("/api/admin/pipelines/store").json
    installed = admin.post("/api/admin/pipelines/install", {"pipelineId": "ampliseq"})
    catalog = admin.post("/api/admin/sequencing-tech", {"action": "apply-updates"})
    checklists = admin.post("/api/admin/mixs-checklists", {"action": "apply-updates"})
    registry = trusting.services.install_profiles.registry
    profile = trusting.services.install_profiles.read(
        registry.url("install-profiles", "single-machine", "resolve"), None
    )

    assert (store["registry"]["error"], store["warnings"]) == (None, [])
    assert installed.status_code == 201, installed.text
    for answer in (catalog, checklists):
        assert answer.status_code == 200, answer.text
        assert [one for one in answer.json["warnings"] if one["collection"] == "registry"] == []
    assert profile["id"] == "single-machine"
    shown = admin.get("/api/admin/registry-trust").json
    (seen,) = shown["registries"]
    assert [role["name"] for role in seen["roles"]] == ["root", "snapshot", "targets", "timestamp"]
    assert RegistryTrust.select().count() == 1
