"""`seqfacility download` against a real service: whole and verified, or not there."""

import itertools
import subprocess
from pathlib import Path
from typing import Any

import pytest
from seqfacility_testkit.cutting_proxy import cutting_proxy
from seqfacility_testkit.facility import RESEARCHER

KIB = 1024
MIB = 1024 * KIB


@pytest.fixture
def delivered(workplace: Any) -> dict[str, bytes]:
    """Publish a pair; gives the content of its files by place."""
    code = workplace.samples["soil"]["sampleId"]
    contents = {
        f"reads/{code}/{name}": workplace.file(name, size)
        for name, size in (("soil_R1.fastq.gz", 3 * MIB), ("soil_R2.fastq.gz", 2 * MIB + 1))
    }
    sent = workplace.run("upload", "--data-class", "cleaned", "--checksum", workplace.folder)
    assert sent[0] == 0, sent
    workplace.publish()
    return contents


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_delivery_survives_a_line_that_breaks_and_is_verified(
    workplace: Any, delivered: dict[str, bytes], tmp_path: Path
) -> None:
    folder, result = tmp_path / "delivery", tmp_path / "result.json"

    with cutting_proxy(workplace.live.base, itertools.repeat(900 * KIB)) as proxy:
        code, said, complaint = workplace.run(
            "download", "--result", result, folder, url=proxy.address, email=RESEARCHER
        )

    assert (code, complaint) == (0, "")
    assert proxy.cuts >= 5
    assert said.count("MD5 agrees") == 2
    assert files_below(folder) == delivered
    (folder / "checksums.md5").write_bytes(
        workplace.admin.get(f"{workplace.path}/delivery/checksums.md5").content
    )
    agreed = subprocess.run(["md5sum", "-c", "checksums.md5"], cwd=folder, capture_output=True, check=False)
    assert (agreed.returncode, agreed.stdout.count(b": OK")) == (0, 2)
    told = workplace.result(result)
    assert told["complete"] is True
    assert [(file["status"], file["verified"]) for file in told["files"]] == [("fetched", True)] * 2


def test_a_download_that_was_given_up_leaves_no_half_file_and_goes_on(
    workplace: Any, delivered: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "delivery"

    with cutting_proxy(workplace.live.base, itertools.chain([MIB] * 3, itertools.repeat(1))) as proxy:
        refused = workplace.run(
            *("download", "--parallel", "1", "--patience", "0.5", folder),
            url=proxy.address,
            email=RESEARCHER,
        )
    between = files_below(folder)
    code, said, _ = workplace.run("download", folder, email=RESEARCHER)
    again = workplace.run("download", folder, email=RESEARCHER)

    assert refused[0] == 1
    assert refused[2].startswith("error: 2 of 2 files did not arrive: ")
    assert not set(between) & set(delivered)
    assert any(content for name, content in between.items() if name.endswith(".part"))
    assert code == 0
    assert "resuming: " in said
    assert files_below(folder) == delivered
    assert (again[0], again[1].count("already-here: ")) == (0, 2)


def test_bytes_that_changed_at_the_facility_are_not_accepted(
    workplace: Any, delivered: dict[str, bytes], tmp_path: Path
) -> None:
    [read] = workplace.reads("soil")
    stored = workplace.data / read["file1"]
    stored.write_bytes(bytes(stored.stat().st_size))
    folder = tmp_path / "delivery"

    code, _, complaint = workplace.run("download", folder, email=RESEARCHER)

    assert code == 1
    assert "soil_R1.fastq.gz arrived with MD5 " in complaint
    assert list(files_below(folder)) == [name for name in delivered if "R2" in name]


def test_another_file_in_the_place_is_never_written_over(
    workplace: Any, delivered: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "delivery"
    first = folder / next(iter(delivered))
    first.parent.mkdir(parents=True)
    first.write_bytes(b"mine")

    code, _, complaint = workplace.run("download", folder, email=RESEARCHER)

    assert code == 1
    assert "is here already and is another file; move it away" in complaint
    assert first.read_bytes() == b"mine"


def test_a_delivery_that_is_not_published_is_told_so(workplace: Any, tmp_path: Path) -> None:
    code, said, complaint = workplace.run("download", tmp_path / "delivery", email=RESEARCHER)

    expected = f"error: the delivery of order {workplace.order_id} is not published yet\n"
    assert (code, said, complaint) == (1, "", expected)
    assert not (tmp_path / "delivery").exists()
