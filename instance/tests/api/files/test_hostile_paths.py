"""Paths that mean harm: none leaves the base path, none answers 5xx, none tells a stranger what exists."""

import os
from pathlib import Path

import pytest
from falcon.testing import Result
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.hostile_paths import (
    HOSTILE_PATHS,
    HOSTILE_QUERIES,
    SECRET,
    clear_traps,
    set_traps,
)
from seqfacility_testkit.sequencing import submitted_order, upload
from seqfacility_testkit.soak import record

AT_ONCE = 50


@pytest.fixture
def trapped(facility: Facility) -> Facility:
    """Return an instance whose data folder is full of traps."""
    set_traps(facility.data)
    return facility


def answers(client: Client, endpoint: str) -> list[Result]:
    return [client.get(f"/api/files/{endpoint}", query_string=f"path={query}") for query in HOSTILE_QUERIES]


def tree(folder: Path) -> list[str]:
    return sorted(str(Path(parent, name)) for parent, _, names in os.walk(folder) for name in names)


@pytest.mark.parametrize("endpoint", ["download", "preview"])
def test_no_query_reaches_beyond_the_base_path(trapped: Facility, endpoint: str) -> None:
    for client in (trapped.admin, trapped.researcher, trapped.anonymous):
        for query, got in zip(HOSTILE_QUERIES, answers(client, endpoint), strict=True):
            assert got.status_code in {400, 401, 403, 404}, (query, got.status_code)
            assert set(got.json) == {"error"}
            assert SECRET not in got.content
    record(
        f"No spelling of a path makes a {endpoint} leave the data folder.",
        tried=f"{len(HOSTILE_QUERIES)} hostile paths by an admin, a researcher and nobody signed in",
        found="each refused with 400, 401, 403 or 404, no byte from outside, no 5xx",
    )


@pytest.mark.parametrize("endpoint", ["checksum", "delete"])
def test_no_listed_path_reaches_beyond_the_base_path(trapped: Facility, endpoint: str) -> None:
    before = tree(trapped.home)
    for start in range(0, len(HOSTILE_PATHS), AT_ONCE):
        listed = HOSTILE_PATHS[start : start + AT_ONCE]

        answer = trapped.admin.post(f"/api/files/{endpoint}", {"filePaths": listed})

        assert answer.status_code == 200
        entries = answer.json["errors"] if endpoint == "delete" else answer.json["results"]
        assert [entry["path" if endpoint == "delete" else "filePath"] for entry in entries] == list(listed)
        assert all(entry["error"] for entry in entries)
    assert tree(trapped.home) == before
    assert (trapped.home / "secret.txt").read_bytes() == SECRET
    record(
        f"No spelling of a path makes a {endpoint} leave the data folder.",
        tried=f"{len(HOSTILE_PATHS)} hostile paths by an admin, fifty at a time",
        found="each an error of its own, every file of the installation still there",
    )


@pytest.mark.parametrize("endpoint", ["download", "preview"])
def test_a_stranger_learns_from_no_path_what_exists(trapped: Facility, endpoint: str) -> None:
    there = [(got.status_code, got.json) for got in answers(trapped.other_researcher, endpoint)]
    clear_traps(trapped.data)
    gone = [(got.status_code, got.json) for got in answers(trapped.other_researcher, endpoint)]

    assert there == gone
    record(
        f"A {endpoint} tells a stranger of no file whether it exists.",
        tried=f"{len(HOSTILE_QUERIES)} hostile paths, with all their targets there and with none",
        found="the same answers",
    )


def test_who_may_not_hash_or_delete_is_refused_whatever_the_path(trapped: Facility) -> None:
    for start in range(0, len(HOSTILE_PATHS), AT_ONCE):
        listed = {"filePaths": HOSTILE_PATHS[start : start + AT_ONCE]}

        assert trapped.researcher.post("/api/files/checksum", listed).status_code == 403
        assert trapped.researcher.post("/api/files/delete", listed).status_code == 401


def test_a_stranger_gets_one_answer_for_what_exists_and_what_does_not(facility: Facility) -> None:
    order = submitted_order(facility)
    there = upload(facility, order, metadata={"dataClass": "cleaned"})
    not_there = there.replace("soil", "sand")

    for endpoint in ("download", "preview"):
        for path in (there, not_there):
            for name in (path, f"{path.removesuffix('.fastq')}.txt"):
                got = facility.other_researcher.get(f"/api/files/{endpoint}", params={"path": name})
                other = facility.other_researcher.get(
                    f"/api/files/{endpoint}", params={"path": name.replace("soil", "sand")}
                )
                assert (got.status_code, got.json) == (other.status_code, other.json)
