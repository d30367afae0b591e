"""An instance that requires the signatures of a registry whose keys the tests hold."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.lying_mirror import SignedAnswers, pipeline_documents
from seqfacility_testkit.registry import StandInRegistry


@pytest.fixture
def signed(facility: Facility, tmp_path: Path) -> Iterator[SignedAnswers]:
    """Return a signed registry, its root pinned, with one pipeline in its second publication."""
    with StandInRegistry() as registry:
        signed = SignedAnswers(registry)
        root = tmp_path / "root.json"
        root.write_bytes(signed.file("root.1.json"))
        trusted = facility.services.runs.pipeline_installation.registry
        object.__setattr__(trusted.client, "base_url", registry.base_url)
        object.__setattr__(trusted, "pinned_root", root)
        signed.publish(pipeline_documents("new-qc", "1.0.0"))
        signed.publish(pipeline_documents("new-qc", "2.0.0"))
        yield signed
