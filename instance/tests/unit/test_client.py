"""The client is installed without the service, so it has its words a second time."""

from enum import StrEnum

import pytest
from seqfacility_client import vocabulary as spoken
from seqfacility_client.cli.upload import ARTIFACTS
from seqfacility_instance.core.vocabulary import sequencing


@pytest.mark.parametrize("name", ["Mate", "DataClass", "UploadStatus"])
def test_the_client_and_the_service_mean_the_same_words(name: str) -> None:
    of_client: type[StrEnum] = getattr(spoken, name)
    of_service: type[StrEnum] = getattr(sequencing, name)

    assert {word.name: word.value for word in of_client} == {word.name: word.value for word in of_service}


def test_the_client_sends_every_kind_of_artifact() -> None:
    assert set(ARTIFACTS) == set(sequencing.ArtifactRole)
