"""Archives of random deliveries: any part is that part of the whole, and no changed file gets in unseen."""

import io
import os
import random
import shutil
import subprocess
import zipfile
import zlib
from collections import Counter
from dataclasses import replace
from pathlib import Path

from seqfacility_instance.files.archive import BLOCK_BYTES, Archive, CrcMemory, Entry
from seqfacility_instance.files.file_part import FileChanged
from seqfacility_instance.files.ranges import Span
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import submitted_order, upload
from seqfacility_testkit.soak import record, rounds

DELIVERIES = rounds(short=15, long=800)
PARTS = 12
CHANGES = 6
ORDERS = rounds(short=3, long=60)
NAMES = ("soil", "Erde ü", "a b", "x" * 200, "日本", "-rf", "a'b", "semi;colon", "100%", ".hidden")
SIZES = (0, 1, 100, 4096, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 5 * BLOCK_BYTES + 17)


def made_delivery(root: Path, dice: random.Random) -> tuple[list[Entry], dict[str, bytes]]:
    """Write random files; return their entries, some with a known CRC, and contents by name."""
    entries, contents = [], {}
    for number in range(dice.randint(0, 6)):
        content = dice.randbytes(dice.choice(SIZES))
        path = f"{number}.fastq"
        (root / path).write_bytes(content)
        os.utime(root / path, ns=(0, dice.randrange(0, 2 * 10**18)))
        name = f"reads/{number}/{dice.choice(NAMES)}_R{number}.fastq"
        facts = (root / path).stat()
        crc = zlib.crc32(content) if dice.random() < 0.5 else None
        entries.append(Entry(name, root, path, facts.st_size, facts.st_mtime_ns, crc))
        contents[name] = content
    return entries, contents


def whole(archive: Archive) -> bytes:
    return b"".join(archive.read(Span(0, archive.size)))


def check_with_unzip(content: bytes, folder: Path) -> None:
    """Let the program that most people have test an archive, where it is installed."""
    file = folder / "archive.zip"
    file.write_bytes(content)
    program = shutil.which("unzip")
    if program is not None:
        tested = subprocess.run([program, "-tqq", file], capture_output=True, check=False)
        assert tested.returncode == 0, tested.stdout + tested.stderr


def changed(file: Path, dice: random.Random) -> str:
    """Let a file become another one, as its writer might; return what was done."""
    content = file.read_bytes()
    kind = dice.choice(["shrinks", "grows", "other content", "replaced", "removed"])
    if kind == "shrinks":
        os.truncate(file, dice.randrange(len(content)))
    elif kind == "grows":
        file.write_bytes(content + b"more")
    elif kind == "other content":
        file.write_bytes(dice.randbytes(len(content)))
    elif kind == "replaced":
        other = file.with_name("other")
        other.write_bytes(content[::-1] + b".")
        other.replace(file)
    else:
        file.unlink()
    return kind


def test_any_part_of_a_random_archive_is_that_part_of_the_whole(tmp_path: Path) -> None:
    dice = random.Random("archives")  # noqa: S311  # the same deliveries every time
    size, outcomes = 0, Counter[str]()
    for _ in range(DELIVERIES):
        shutil.rmtree(tmp_path / "data", ignore_errors=True)
        (tmp_path / "data").mkdir()
        entries, contents = made_delivery(tmp_path / "data", dice)
        content = whole(Archive(entries, CrcMemory()))
        size += len(content)
        with zipfile.ZipFile(io.BytesIO(content)) as read:
            assert read.testzip() is None
            assert {name: read.read(name) for name in read.namelist()} == contents
        if entries:
            check_with_unzip(content, tmp_path)
        for _ in range(PARTS):
            start = dice.randrange(len(content))
            length = dice.choice([1, len(content) - start, dice.randint(1, len(content) - start)])
            resumed = Archive(entries, CrcMemory())
            assert b"".join(resumed.read(Span(start, length))) == content[start : start + length]
        for _ in range(CHANGES if any(contents.values()) else 0):
            outcomes[read_while_a_file_changes(tmp_path / "data", entries, content, dice)] += 1

    record(
        "A download of a delivery goes on at any byte, and no file that changed meanwhile is in it unseen",
        tried=f"{DELIVERIES:,} random deliveries ({size / 2**30:.1f} GiB), {PARTS * DELIVERIES:,} random "
        f"parts, {outcomes['broken off'] + outcomes['whole']:,} downloads during which a file shrank, grew, "
        "was rewritten or removed",
        found="every part equals that part of the whole, every CRC is right by `zipfile` and `unzip -t`; "
        f"{outcomes['broken off']:,} changed downloads broke off, {outcomes['whole']:,} had passed the file",
    )


def read_while_a_file_changes(root: Path, entries: list[Entry], content: bytes, dice: random.Random) -> str:
    """Change a file while an archive is read, and put it back; return how the reading ended."""
    entry = dice.choice([one for one in entries if one.size])
    file = root / entry.path
    kept, facts = file.read_bytes(), file.stat()
    # With a CRC that is known nothing but the file itself can tell that it is another one.
    known = [replace(one, crc32=None) if dice.random() < 0.5 else one for one in entries]
    start = dice.randrange(len(content) // 2)
    blocks, got = Archive(known, CrcMemory()).read(Span(start, len(content) - start)), b""
    timestamp, is_changed = dice.randint(0, 2), False
    try:
        for number, block in enumerate(blocks):
            got += block
            if number == timestamp:
                is_changed = bool(changed(file, dice))
    except (FileChanged, FileNotFoundError):
        ended = "broken off"
    else:
        ended = "whole" if is_changed else "over before"
    finally:
        file.write_bytes(kept)
        os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert ended == "broken off" or got == content[start:]
    return ended


def test_a_delivery_that_changes_between_two_parts_is_told_with_409(facility: Facility) -> None:
    dice = random.Random("orders")  # noqa: S311  # the same orders every time
    parts = refused = 0
    for number in range(ORDERS):
        order = submitted_order(facility)
        contents = [f"@r{number}\nACGT\n+\nIIII\n".encode() * dice.randint(1, 5000) for _ in range(2)]
        paths = [
            upload(facility, order, content, targetRole=role, metadata={"dataClass": "cleaned"})
            for role, content in zip(("R1", "R2"), contents, strict=True)
        ]
        page = f"/api/orders/{order.id}/sequencing"
        archive = facility.admin.get(f"{page}/delivery").json["delivery"]["archive"]
        content = facility.admin.get(archive).content
        for _ in range(5):
            start = dice.randrange(len(content))
            part = facility.admin.get(archive, headers={"Range": f"bytes={start}-"})
            assert (part.status_code, part.content) == (206, content[start:])
            parts += 1
        changed(facility.data / dice.choice(paths), dice)
        later = facility.admin.get(archive, headers={"Range": "bytes=1-"})
        assert later.status_code == 409, later.text
        refused += 1
    record(
        "A download of a delivery that has changed does not go on as if it had not",
        tried=f"{parts} parts of {ORDERS} deliveries over HTTP, a file of each changed before the next part",
        found=f"{parts} parts identical, {refused} of {ORDERS} later ones refused with 409",
    )
