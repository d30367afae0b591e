"""A link to a delivery of many files: what one of them costs, and that what is kept is never another file."""

import io
import os
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from falcon.testing import Result
from seqfacility_instance.files.file_part import FileChanged
from seqfacility_instance.reads.offer import offer_of
from seqfacility_instance.tables.sequencing import Read, SequencingArtifact
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.sequencing import OrderInHand, submitted_order, upload

FILES = 40


class _Opened:
    """Counts how often somebody opens a data folder, as is done for each file below it."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        self.count = 0
        sys.addaudithook(self.note)

    def note(self, event: str, details: tuple[object, ...]) -> None:
        if event == "open" and self.folder is not None and details[0] == str(self.folder):
            self.count += 1

    @contextmanager
    def counted_below(self, folder: Path) -> Iterator["_Opened"]:
        self.folder, self.count = folder, 0
        yield self
        self.folder = None


OPENED = _Opened()  # a hook cannot be taken away


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    """Return a released order of some tables, written as the service writes them."""
    order = submitted_order(facility)
    upload(facility, order, b"a\n" * 500, targetKind="artifact", targetRole="delivery_report",
           originalName="table-0.txt", metadata={"visibility": "customer"})  # fmt: skip
    first = SequencingArtifact.get()
    values = {name: value for name, value in first.__data__.items() if name not in {"id", "path"}}
    folder = Path(first.path).parent
    for number in range(1, FILES):
        path = str(folder / f"table-{number}.txt")
        (facility.data / path).write_bytes(f"{number}\n".encode() * 500)
        later = {
            "original_name": f"table-{number}.txt",
            "created_at": first.created_at + timedelta(seconds=number),
        }
        SequencingArtifact.create(**{**values, **later, "path": path})
    publication = f"/api/orders/{order.id}/sequencing/delivery/publication"
    assert facility.admin.put(publication).status_code == 200
    return order


@pytest.fixture
def base(facility: Facility, order: OrderInHand) -> str:
    made = facility.researcher.post(f"/api/orders/{order.id}/delivery/links", {})
    return "/d/" + str(made.json["url"]).partition("/d/")[2]


def part(client: Client, path: str, start: int) -> Result:
    return client.get(path, headers={"Range": f"bytes={start}-"})


def on_disk(facility: Facility, number: int) -> Path:
    found: SequencingArtifact = SequencingArtifact.get(
        SequencingArtifact.original_name == f"table-{number}.txt"
    )
    return facility.data / found.path


def names(facility: Facility, base: str) -> list[str]:
    return [url.rpartition("/")[2] for url in facility.anonymous.get(f"{base}urls.txt").text.splitlines()]


def test_one_file_opens_no_other_one(facility: Facility, base: str) -> None:
    with OPENED.counted_below(facility.data) as first:
        assert facility.anonymous.get(f"{base}files/table-7.txt").content == b"7\n" * 500
        assert first.count == 1
    with OPENED.counted_below(facility.data) as again:
        assert part(facility.anonymous, f"{base}files/table-8.txt", 2).content == b"8\n" * 499
        assert again.count == 1


def test_a_part_of_the_archive_opens_the_files_that_it_holds(facility: Facility, base: str) -> None:
    whole = facility.anonymous.get(f"{base}archive.zip").content
    at = whole.index(b"38\n" * 500)
    end = whole.index(b"39\n" * 500) + 1500

    with OPENED.counted_below(facility.data) as opened:
        header = {"Range": f"bytes={at + 300}-{end - 1}"}
        got = facility.anonymous.get(f"{base}archive.zip", headers=header).content
        count = opened.count

    assert got == whole[at + 300 : end]
    assert count <= 3, "two files, and the first again for its CRC where nobody knows it"


def test_a_resumed_archive_is_the_whole_one(facility: Facility, base: str) -> None:
    head = facility.anonymous.request("HEAD", f"{base}archive.zip")
    whole = facility.anonymous.get(f"{base}archive.zip")

    step = len(whole.content) // 13
    starts = range(0, len(whole.content), step)
    parts = [
        facility.anonymous.get(f"{base}archive.zip", headers={"Range": f"bytes={at}-{at + step - 1}"})
        for at in starts
    ]

    assert head.headers["etag"] == whole.headers["etag"]
    assert b"".join(one.content for one in parts) == whole.content
    with zipfile.ZipFile(io.BytesIO(whole.content)) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == names(facility, base)


def test_names_that_change_hands_are_followed_at_once(facility: Facility, base: str) -> None:
    assert facility.anonymous.get(f"{base}files/table-1.txt").content == b"1\n" * 500
    one, two = (SequencingArtifact.get(SequencingArtifact.path.endswith(f"table-{n}.txt")) for n in (1, 2))

    for row, name in ((one, "table-2.txt"), (two, "table-1.txt")):
        SequencingArtifact.update(original_name=name).where(SequencingArtifact.id == row.id).execute()

    assert facility.anonymous.get(f"{base}files/table-1.txt").content == b"2\n" * 500
    assert facility.anonymous.get(f"{base}files/table-2.txt").content == b"1\n" * 500
    with zipfile.ZipFile(io.BytesIO(facility.anonymous.get(f"{base}archive.zip").content)) as archive:
        assert archive.read("table-1.txt") == b"2\n" * 500


def test_a_name_stays_whatever_is_on_the_disk(facility: Facility, base: str) -> None:
    SequencingArtifact.update(original_name="table-3.txt").where(
        SequencingArtifact.original_name == "table-4.txt"
    ).execute()
    second = next(name for name in names(facility, base) if name.endswith("-table-3.txt"))
    first = facility.data / SequencingArtifact.get(SequencingArtifact.path.endswith("table-3.txt")).path

    first.rename(first.with_name("elsewhere"))

    assert facility.anonymous.get(f"{base}files/table-3.txt").status_code == 404
    assert facility.anonymous.get(f"{base}files/{second}").content == b"4\n" * 500
    assert {"table-3.txt", second} & set(names(facility, base)) == {second}
    first.with_name("elsewhere").rename(first)
    assert facility.anonymous.get(f"{base}files/table-3.txt").content == b"3\n" * 500


def test_a_file_that_is_no_customers_any_more_is_gone_even_when_its_name_is_kept(
    facility: Facility, base: str
) -> None:
    for number in (5, 6):
        assert facility.anonymous.get(f"{base}files/table-{number}.txt").status_code == 200

    SequencingArtifact.update(visibility="facility").where(
        SequencingArtifact.original_name == "table-5.txt"
    ).execute()
    SequencingArtifact.delete().where(SequencingArtifact.original_name == "table-6.txt").execute()

    for number in (5, 6):
        assert facility.anonymous.get(f"{base}files/table-{number}.txt").status_code == 404


def test_a_link_in_place_of_a_file_leads_nowhere(facility: Facility, base: str, tmp_path: Path) -> None:
    assert facility.anonymous.get(f"{base}files/table-9.txt").status_code == 200
    secret = tmp_path / "secret"
    secret.write_text("key")
    place = on_disk(facility, 9)
    place.unlink()

    place.symlink_to(secret)

    assert facility.anonymous.get(f"{base}files/table-9.txt").status_code == 404


@pytest.mark.parametrize("is_gone", [False, True])
def test_an_archive_whose_file_changed_ends_and_the_next_one_is_right(
    facility: Facility, base: str, *, is_gone: bool
) -> None:
    before = facility.anonymous.get(f"{base}archive.zip")
    place = on_disk(facility, 30)
    if is_gone:
        place.unlink()
    else:
        place.write_bytes(b"thirty\n")
        os.utime(place, ns=(1, 1))

    intact = part(facility.anonymous, f"{base}archive.zip", len(before.content) - 20)
    with pytest.raises(FileChanged):
        part(facility.anonymous, f"{base}archive.zip", before.content.index(b"30\n" * 500))
    resumed = facility.anonymous.get(
        f"{base}archive.zip", headers={"Range": "bytes=100-", "If-Range": before.headers["etag"]}
    )

    assert intact.content == before.content[-20:]
    assert resumed.status_code == 200, "another archive than the one that was begun"
    with zipfile.ZipFile(io.BytesIO(resumed.content)) as archive:
        assert archive.testzip() is None
        assert ("table-30.txt" in archive.namelist()) is not is_gone
        assert is_gone or archive.read("table-30.txt") == b"thirty\n"


def test_a_layout_is_made_anew_after_some_time(facility: Facility, base: str) -> None:
    before = facility.anonymous.get(f"{base}archive.zip")
    on_disk(facility, 30).write_bytes(b"thirty\n")
    kept = facility.anonymous.request("HEAD", f"{base}archive.zip").headers["etag"]

    facility.clock.advance(timedelta(minutes=10))

    assert kept == before.headers["etag"]
    assert facility.anonymous.request("HEAD", f"{base}archive.zip").headers["etag"] != kept


def test_a_read_that_is_superseded_is_gone(facility: Facility, order: OrderInHand, base: str) -> None:
    upload(facility, order, metadata={"dataClass": "cleaned"})
    assert facility.anonymous.get(f"{base}files/soil_R1.fastq").status_code == 200

    Read.update(data_class="raw").execute()

    assert facility.anonymous.get(f"{base}files/soil_R1.fastq").status_code == 404


def test_the_row_of_a_file_is_asked_again_whatever_is_kept(
    facility: Facility, order: OrderInHand, base: str
) -> None:
    upload(facility, order, metadata={"dataClass": "cleaned"})
    kept = offer_of(order.id, facility.data).by_plain_name()
    others = submitted_order(facility)

    before = {name for name, file in kept.items() if file.is_offered(order.id)}
    Read.update(is_active=False).execute()
    SequencingArtifact.update(visibility="facility").where(
        SequencingArtifact.original_name == "table-1.txt"
    ).execute()
    SequencingArtifact.update(order=others.id).where(
        SequencingArtifact.original_name == "table-2.txt"
    ).execute()

    assert before == set(names(facility, base)) | {"soil_R1.fastq", "table-1.txt", "table-2.txt"}
    assert {name for name, file in kept.items() if not file.is_offered(order.id)} == {
        "soil_R1.fastq",
        "table-1.txt",
        "table-2.txt",
    }
