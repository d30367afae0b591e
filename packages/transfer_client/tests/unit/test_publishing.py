"""The final name of a fetched file: given once it is whole, and never taken from another file."""

import os
from pathlib import Path

import pytest
from seqfacility_client.errors import TransferRefused
from seqfacility_client.fetching import publish


@pytest.fixture(params=["links", "link(2) refused"])
def part(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return a whole part, where links are as the parameter says."""

    def refuse(_source: Path, target: Path) -> None:
        raise FileExistsError if target.exists() else PermissionError

    if request.param == "link(2) refused":
        monkeypatch.setattr(os, "link", refuse)
    place = tmp_path / ".a.part"
    place.write_bytes(b"whole")
    return place


def test_a_part_becomes_the_file(part: Path) -> None:
    place = part.with_name("a")

    publish(part, place)

    assert place.read_bytes() == b"whole"
    assert not part.exists()


def test_a_file_that_appeared_meanwhile_stays(part: Path) -> None:
    place = part.with_name("a")
    place.write_bytes(b"another")

    with pytest.raises(TransferRefused):
        publish(part, place)

    assert (place.read_bytes(), part.read_bytes()) == (b"another", b"whole")
