"""The client is installed without the service: it has its words again, and the service its commands."""

from enum import StrEnum

import pytest
from seqfacility_client import cli as client_cli
from seqfacility_client import planning
from seqfacility_client import vocabulary as spoken
from seqfacility_client.rules import plan as understood
from seqfacility_instance import cli as instance_cli
from seqfacility_instance.core.vocabulary import sequencing
from seqfacility_instance.uploads import plan_bodies
from seqfacility_instance.uploads.matching.names import Code
from seqfacility_instance.uploads.matching.plan import Kind


@pytest.mark.parametrize("name", ["Mate", "DataClass", "UploadStatus"])
def test_the_client_and_the_service_mean_the_same_words(name: str) -> None:
    of_client: type[StrEnum] = getattr(spoken, name)
    of_service: type[StrEnum] = getattr(sequencing, name)

    assert {word.name: word.value for word in of_client} == {word.name: word.value for word in of_service}


def test_the_client_sends_every_kind_of_artifact() -> None:
    assert set(spoken.ARTIFACTS) == set(sequencing.ArtifactRole)


def test_the_client_knows_what_a_plan_says() -> None:
    known = understood.ITS_OWN_TROUBLE | understood.WANTED_WHEN_NAMED | understood.SAID_OF_SEVERAL

    assert known | {"lanes", "choice"} <= set(Code)
    assert Kind.LEFT_OUT == "left-out"
    assert planning.MAX_FILES == plan_bodies.MAX_FILES


@pytest.mark.parametrize("command", ["upload", "download"])
def test_the_service_and_the_client_explain_the_same_command(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    explained = []
    for main in (client_cli.main, instance_cli.main):
        with pytest.raises(SystemExit) as ended:
            main([command, "--help"])
        assert ended.value.code == 0
        usage, _, rest = capsys.readouterr().out.partition("\n\n")
        explained.append((usage.split()[2:], rest))

    assert explained[0] == explained[1]
    assert "--limit-rate" in explained[0][1]
