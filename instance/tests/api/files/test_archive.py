"""A whole delivery: one archive that can be resumed at any byte, and its list of checksums."""

import hashlib
import io
import os
import subprocess
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from seqfacility_instance.access.opened import open_order
from seqfacility_instance.files.archive import BLOCK_BYTES, Archive, CrcMemory, Entry
from seqfacility_instance.files.file_part import FileChanged
from seqfacility_instance.files.ranges import Span
from seqfacility_instance.tables.sequencing import FileDigest, Read
from seqfacility_testkit.facility import ADMIN, Facility
from seqfacility_testkit.sequencing import FASTQ, OrderInHand, submitted_order, upload


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    """Return an order with a pair of cleaned reads, a raw read and a report for the customer."""
    order = submitted_order(facility, samples=2)
    cleaned: dict[str, object] = {"metadata": {"dataClass": "cleaned"}}
    upload(facility, order, **cleaned)
    upload(facility, order, FASTQ * 1000, targetRole="R2", originalName="Erde ü_R2.fastq", **cleaned)
    upload(facility, order, sampleId=order.sample_ids[1])
    upload(
        facility,
        order,
        b"<html>",
        targetKind="artifact",
        targetRole="delivery_report",
        sampleId=None,
        originalName="report.html",
        metadata={"visibility": "customer"},
    )
    return order


def path(order: OrderInHand, name: str) -> str:
    return f"/api/orders/{order.id}/sequencing/delivery/{name}"


def publish(facility: Facility, order: OrderInHand) -> None:
    assert facility.admin.put(path(order, "publication")).status_code == 200


def test_the_archive_holds_exactly_what_is_delivered(facility: Facility, order: OrderInHand) -> None:
    publish(facility, order)

    got = facility.researcher.get(path(order, "archive.zip"))

    with zipfile.ZipFile(io.BytesIO(got.content)) as archive:
        assert archive.testzip() is None
        found = {name: archive.read(name) for name in archive.namelist()}
    assert got.status_code == 200
    assert got.headers["content-type"] == "application/zip"
    assert got.headers["content-length"] == str(len(got.content))
    assert found == {
        f"reads/{order.sample_codes[0]}/soil_R1.fastq": FASTQ,
        f"reads/{order.sample_codes[0]}/Erde ü_R2.fastq": FASTQ * 1000,
        "artifacts/_order/report.html": b"<html>",
    }


def test_any_part_of_the_archive_is_the_same_part_of_the_whole(
    facility: Facility, order: OrderInHand
) -> None:
    whole = facility.admin.get(path(order, "archive.zip"))

    for start in (0, 1, 100, len(whole.content) // 2, len(whole.content) - 300, len(whole.content) - 1):
        headers = {"Range": f"bytes={start}-", "If-Range": whole.headers["etag"]}
        part = facility.admin.get(path(order, "archive.zip"), headers=headers)
        assert (part.status_code, part.content) == (206, whole.content[start:])
    head = facility.admin.request("HEAD", path(order, "archive.zip"))
    assert (head.headers["content-length"], head.content) == (str(len(whole.content)), b"")


def test_the_rest_of_an_archive_is_that_of_the_delivery_that_was_begun(
    facility: Facility, order: OrderInHand
) -> None:
    publish(facility, order)
    link = facility.researcher.get(path(order, "")[:-1]).json["delivery"]["archive"]
    whole = facility.researcher.get(link)

    rest = facility.researcher.get(link, headers={"Range": "bytes=100-"})
    upload(facility, order, originalName="again_R1.fastq", metadata={"dataClass": "cleaned"})
    refused = facility.researcher.get(link, headers={"Range": "bytes=100-"})
    renewed = facility.researcher.get(path(order, "")[:-1]).json["delivery"]["archive"]

    assert (rest.status_code, rest.content) == (206, whole.content[100:])
    assert whole.headers["etag"] == '"' + link.partition("state=")[2] + '"'
    assert (refused.status_code, refused.json) == (
        409,
        {
            "error": "The delivery has changed since this archive was begun. "
            "Look at the delivery again, and fetch it anew"
        },
    )
    assert facility.researcher.get(renewed).status_code == 200


def test_a_delivery_without_files_has_no_archive(facility: Facility, order: OrderInHand) -> None:
    shown = facility.researcher.get(path(order, "")[:-1]).json["delivery"]

    assert (shown["archive"], shown["readFiles"]) == (None, [])


def test_the_lists_name_what_is_in_the_archive(facility: Facility, order: OrderInHand) -> None:
    facility.services.worker.tick(facility.clock.now())
    publish(facility, order)

    got = facility.researcher.get(path(order, "manifest.tsv"))
    with zipfile.ZipFile(io.BytesIO(facility.researcher.get(path(order, "archive.zip")).content)) as archive:
        names = archive.namelist()

    header, *rows = (line.split("\t") for line in got.text.splitlines())
    listed = [dict(zip(header, row, strict=True)) for row in rows]
    assert got.headers["content-type"] == "text/tab-separated-values; charset=utf-8"
    assert [row["file"] for row in listed] == names
    assert [(row["alias"], row["role"], row["class"], row["reads"], row["verified"]) for row in listed] == [
        ("soil 0", "R1", "cleaned", "2", "yes"),
        ("soil 0", "R2", "cleaned", "2000", "yes"),
        ("", "delivery_report", "", "", "yes"),
    ]


def test_names_that_differ_in_capital_letters_alone_are_told_apart(
    facility: Facility, order: OrderInHand
) -> None:
    """Where they are one name, unpacking the archive would lose a file."""
    upload(
        facility,
        order,
        b"<p>other",
        targetKind="artifact",
        targetRole="delivery_report",
        sampleId=None,
        originalName="Report.html",
        metadata={"visibility": "customer"},
    )
    publish(facility, order)

    delivery = facility.researcher.get(path(order, "")[:-1]).json["delivery"]
    answer = facility.researcher.get(path(order, "archive.zip"))

    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.namelist()[2:] == [
            "artifacts/_order/report.html",
            f"artifacts/_order/{delivery['artifactFiles'][1]['id']}-Report.html",
        ]


def test_a_list_keeps_the_blanks_of_a_name(facility: Facility, order: OrderInHand) -> None:
    Read.update(file1="two  blanks\tand a tab.fastq").execute()
    (facility.data / "two  blanks\tand a tab.fastq").write_bytes(FASTQ)

    rows = facility.admin.get(path(order, "manifest.tsv")).text

    assert "/two  blanks and a tab.fastq\tR1\t" in rows


def test_a_changed_file_makes_another_archive(facility: Facility, order: OrderInHand) -> None:
    before = facility.admin.get(path(order, "archive.zip")).headers["etag"]
    file = facility.data / f"orders/{order.id}/reads/{order.sample_codes[0]}/soil_R1.fastq"
    file.write_bytes(FASTQ + FASTQ)

    headers = {"Range": "bytes=5-", "If-Range": before}
    after = facility.admin.get(path(order, "archive.zip"), headers=headers)

    assert (after.status_code, after.headers["etag"] != before) == (200, True)


def test_a_file_that_changes_on_the_way_breaks_the_answer_off(facility: Facility, order: OrderInHand) -> None:
    admin = facility.services
    caller = admin.sessions.find_caller(str(facility.admin.cookie), "127.0.0.1")
    assert caller is not None
    opened = open_order(caller, order.id)
    archive, facts, _name = admin.delivery_archives.archive(opened, None, is_noted=False)
    (facility.data / f"orders/{order.id}/reads/{order.sample_codes[0]}/soil_R1.fastq").write_bytes(b"x")

    with pytest.raises(FileChanged):
        list(archive.read(Span(0, facts.size)))


def test_md5sum_accepts_the_list_of_checksums(facility: Facility, order: OrderInHand, tmp_path: Path) -> None:
    facility.services.worker.tick(facility.clock.now())
    publish(facility, order)

    manifest = facility.researcher.get(path(order, "checksums.md5"))
    archive = facility.researcher.get(path(order, "archive.zip"))

    with zipfile.ZipFile(io.BytesIO(archive.content)) as opened:
        opened.extractall(tmp_path)
    (tmp_path / "checksums.md5").write_bytes(manifest.content)
    checked = subprocess.run(
        ["md5sum", "--strict", "-c", "checksums.md5"], cwd=tmp_path, capture_output=True, check=False
    )
    md5 = hashlib.md5(FASTQ, usedforsecurity=False).hexdigest()
    assert manifest.text.splitlines()[0] == f"{md5}  reads/{order.sample_codes[0]}/soil_R1.fastq"
    assert (checked.returncode, checked.stdout.count(b": OK")) == (0, 3)


@pytest.mark.parametrize("name", ["archive.zip", "checksums.md5", "manifest.tsv"])
def test_a_delivery_is_closed_like_its_files(facility: Facility, order: OrderInHand, name: str) -> None:
    anonymous = facility.anonymous.get(path(order, name))
    unpublished = facility.researcher.get(path(order, name))
    publish(facility, order)
    stranger = facility.other_researcher.get(path(order, name))

    assert (anonymous.status_code, anonymous.json) == (401, {"error": "Unauthorized"})
    assert (unpublished.status_code, unpublished.json) == (403, {"error": "Access denied"})
    assert (stranger.status_code, stranger.json) == (403, {"error": "Forbidden"})


class Lazily(io.RawIOBase):
    """An archive as a file that is read where a reader looks, and nowhere else."""

    def __init__(self, archive: Archive) -> None:
        self.archive, self.at = archive, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self.at = offset + (0, self.at, self.archive.size)[whence]
        return self.at

    def tell(self) -> int:
        return self.at

    def read(self, size: int = -1) -> bytes:
        left = self.archive.size - self.at
        part = b"".join(self.archive.read(Span(self.at, left if size < 0 else min(size, left))))
        self.at += len(part)
        return part


def entry(root: Path, name: str, content: bytes, size: int | None = None) -> Entry:
    (root / name).write_bytes(content)
    if size is not None:
        os.truncate(root / name, size)
    facts = (root / name).stat()
    return Entry(f"reads/{name}", root, name, facts.st_size, facts.st_mtime_ns)


def test_an_archive_of_more_than_four_gib_is_read_at_its_end(tmp_path: Path) -> None:
    hole = replace(entry(tmp_path, "hole.fastq", b"", 5 * 1024**3), crc32=0)
    entries = [hole, entry(tmp_path, "small.fastq", FASTQ)]

    archive = Archive(entries, CrcMemory())

    with zipfile.ZipFile(Lazily(archive)) as opened:
        assert [one.file_size for one in opened.infolist()] == [5 * 1024**3, len(FASTQ)]
        assert opened.read("reads/small.fastq") == FASTQ


def test_an_archive_is_resumed_at_every_byte(tmp_path: Path) -> None:
    entries = [entry(tmp_path, "a.fastq", FASTQ), entry(tmp_path, "Erde ü.txt", b"x")]
    archive = Archive(entries, CrcMemory())
    whole = b"".join(archive.read(Span(0, archive.size)))

    for start in range(archive.size):
        assert b"".join(archive.read(Span(start, archive.size - start))) == whole[start:]
    assert len(whole) == archive.size


def test_an_archive_made_again_is_the_same(facility: Facility, order: OrderInHand) -> None:
    first = facility.admin.get(path(order, "archive.zip"))
    facility.clock.advance(timedelta(hours=5))
    again = facility.sign_in(ADMIN).get(path(order, "archive.zip"))

    assert (again.content, again.headers["etag"]) == (first.content, first.headers["etag"])


class ReadsCounted(CrcMemory):
    """Counts how often the CRC of a file had to be read from it."""

    def __init__(self) -> None:
        super().__init__()
        self.readings = 0

    def computed(self, entry: Entry) -> int:
        self.readings += 1
        return super().computed(entry)


def test_a_file_that_is_sent_from_its_start_is_read_once(tmp_path: Path) -> None:
    entries = [entry(tmp_path, "a.fastq", FASTQ * 100_000), entry(tmp_path, "b.fastq", FASTQ)]
    crcs = ReadsCounted()
    archive = Archive(entries, crcs)

    whole = b"".join(archive.read(Span(0, archive.size)))
    end = b"".join(archive.read(Span(archive.size - 400, 400)))

    assert (crcs.readings, end) == (0, whole[-400:])
    with zipfile.ZipFile(io.BytesIO(whole)) as opened:
        assert opened.testzip() is None


def test_the_end_of_an_archive_of_known_files_reads_none_of_them(tmp_path: Path) -> None:
    known = entry(tmp_path, "a.fastq", FASTQ)
    archive = Archive([replace(known, crc32=zlib.crc32(FASTQ))], CrcMemory())
    whole = b"".join(archive.read(Span(0, archive.size)))
    (tmp_path / "a.fastq").unlink()

    end = b"".join(archive.read(Span(archive.size - 200, 200)))

    assert end == whole[-200:]


def test_only_the_files_of_the_wanted_records_are_read(tmp_path: Path) -> None:
    entries = [entry(tmp_path, "a.fastq", FASTQ), entry(tmp_path, "b.fastq", FASTQ)]
    crcs = ReadsCounted()
    archive = Archive(entries, crcs)

    list(archive.read(Span(archive.size - 98, 98)))
    none = crcs.readings
    list(archive.read(Span(archive.size - 99, 99)))

    assert (none, crcs.readings) == (0, 1)


def test_who_asks_while_a_file_is_read_waits_for_the_result(tmp_path: Path) -> None:
    one, crcs = entry(tmp_path, "a.fastq", FASTQ * 500_000), ReadsCounted()

    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: crcs.crc_of(one), range(8)))

    assert (found, crcs.readings) == ({zlib.crc32(FASTQ * 500_000)}, 1)


def test_small_pieces_go_out_together(tmp_path: Path) -> None:
    entries = [entry(tmp_path, f"{number}.fastq", FASTQ) for number in range(1000)]
    archive = Archive(entries, CrcMemory())

    blocks = list(archive.read(Span(0, archive.size)))

    assert max(map(len, blocks)) <= BLOCK_BYTES
    assert len(blocks) <= 2 + archive.size // (BLOCK_BYTES // 2)


def test_an_archive_takes_the_crcs_of_the_examination(facility: Facility, order: OrderInHand) -> None:
    facility.services.worker.tick(facility.clock.now())
    found = {row.path.rpartition("/")[2]: row.crc32 for row in FileDigest.select()}
    FileDigest.update(crc32=0x01020304).where(FileDigest.path.endswith("report.html")).execute()

    end = facility.admin.get(path(order, "archive.zip"), headers={"Range": "bytes=-500"})

    assert (found["soil_R1.fastq"], found["report.html"]) == (zlib.crc32(FASTQ), zlib.crc32(b"<html>"))
    assert (end.status_code, (0x01020304).to_bytes(4, "little") in end.content) == (206, True)
