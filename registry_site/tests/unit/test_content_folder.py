"""When a changed folder becomes the publication."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from seqfacility_registry.answers import ANY_ADDRESS, ContentBroken
from seqfacility_registry.check import content_problems
from seqfacility_registry.checklists.editions import definition_path
from seqfacility_registry.content_folder import UNCHANGED_POLLS, ContentFolder, fingerprint_of
from seqfacility_testkit.signed_registry import sign_registry


def _raise_version(content: Path, version: int) -> None:
    path = content / "catalog" / "sequencing-tech.json"
    path.write_text(path.read_text().replace('"version": 3', f'"version": {version}', 1))


def _served(folder: ContentFolder) -> bytes:
    return folder.current().catalog.catalog.ready(ANY_ADDRESS).content


def test_a_change_is_taken_over_when_the_folder_has_been_still(content: Path) -> None:
    folder = ContentFolder(content)
    _raise_version(content, 4)

    assert folder.poll() is False
    assert folder.poll() is True
    assert _served(folder).startswith(b'{"version":4')


def test_an_unchanged_folder_is_not_read_again(content: Path) -> None:
    folder = ContentFolder(content)
    before = folder.current()

    assert not any(folder.poll() for _ in range(3))
    assert folder.current() is before


def test_a_folder_that_keeps_changing_is_waited_for(content: Path) -> None:
    folder = ContentFolder(content)

    for version in (4, 5, 6):
        _raise_version(content, version)
        (content / f"note-{version}").touch()
        assert folder.poll() is False


def test_a_change_that_breaks_something_is_believed_late(content: Path) -> None:
    folder = ContentFolder(content)
    sound = _served(folder)
    (content / "catalog" / "sequencing-tech.json").write_text("{")

    polls = [folder.poll() for _ in range(UNCHANGED_POLLS)]
    assert not any(polls)
    assert _served(folder) == sound
    assert folder.poll() is True
    with pytest.raises(ContentBroken):
        _served(folder)


def test_what_was_broken_and_is_mended_is_taken_over_at_once(content: Path) -> None:
    path = content / "catalog" / "sequencing-tech.json"
    sound = path.read_text()
    path.write_text("{")
    folder = ContentFolder(content)
    path.write_text(sound)

    assert [folder.poll(), folder.poll()] == [False, True]
    assert _served(folder).startswith(b'{"version":3')


def test_signatures_that_lead_nowhere_are_believed_late_as_whatever_breaks_something(
    content: Path, tmp_path: Path
) -> None:
    sign_registry(content, tmp_path / "keys")
    folder = ContentFolder(content)
    (content / "trust" / "snapshot.1.json").unlink()

    polls = [folder.poll() for _ in range(UNCHANGED_POLLS)]
    assert not any(polls)
    assert folder.current().trust.find("timestamp.json") is not None
    assert folder.poll()
    assert folder.current().trust.find("timestamp.json") is None


def test_a_folder_that_has_gone_leaves_the_publication_standing(content: Path) -> None:
    folder = ContentFolder(content)
    shutil.rmtree(content)

    assert not any(folder.poll() for _ in range(UNCHANGED_POLLS + 2))
    assert _served(folder).startswith(b'{"version":3')


def test_a_publication_does_not_look_at_the_disk_again(content: Path) -> None:
    folder = ContentFolder(content)
    shutil.rmtree(content)

    for answer in folder.current().answers():
        assert answer.fault(ANY_ADDRESS) is None


def test_a_replaced_file_of_equal_size_and_time_is_noticed(content: Path) -> None:
    path = content / "catalog" / "sequencing-tech.json"
    facts, before = path.stat(), fingerprint_of(content)
    beside = path.with_suffix(".new")
    beside.write_bytes(path.read_bytes())
    os.utime(beside, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    beside.replace(path)

    assert fingerprint_of(content) != before


@pytest.mark.parametrize("definition", ["[]", "{}", '{"accession": 7}', "null"])
def test_a_published_definition_that_is_no_checklist_spoils_the_checklists_alone(
    content: Path, definition: str
) -> None:
    listing = content / "checklists" / "versions" / "1.json"
    digest = hashlib.sha256(definition.encode()).hexdigest()
    definition_path(content / "checklists", "ERC000022", digest).write_text(definition)
    document = json.loads(listing.read_text())
    document["checklists"][0]["sha256"] = digest
    listing.write_text(json.dumps(document))

    publication = ContentFolder(content).current()

    assert publication.checklists.all.fault(ANY_ADDRESS) is not None
    assert publication.catalog.catalog.fault(ANY_ADDRESS) is None
    assert all(line.startswith("checklists") for line in content_problems(content))


def test_an_empty_folder_is_a_registry_that_publishes_nothing(tmp_path: Path) -> None:
    publication = ContentFolder(tmp_path).current()

    assert b'"pipelines":[]' in publication.pipelines.index.ready(ANY_ADDRESS).content
    assert publication.releases.channels == {}


def test_single_checklists_are_checked_like_the_list(
    tmp_path: Path, write_content: Callable[[Path], Path]
) -> None:
    content = write_content(tmp_path / "content")
    publication = ContentFolder(content).current()

    for answer in publication.checklists.by_accession.values():
        assert answer.fault(ANY_ADDRESS) is None
