"""The lists of MD5 that lie beside files."""

from pathlib import Path

import pytest
from seqfacility_client.checksum_lists import found_checksums
from seqfacility_client.errors import TransferRefused
from seqfacility_client.rules.checksum_lists import is_checksum_list, listed_checksums

MD5, OTHER = "0123456789abcdef" * 2, "f" * 32


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("md5sum.txt", True),
        ("MD5SUM.TXT", True),
        ("checksums.md5", True),
        ("soil_R1.fastq.gz.md5", True),
        ("md5.txt", False),
        (".md5", False),
        ("soil.fastq", False),
    ],
)
def test_a_list_is_known_by_its_name(name: str, expected: bool) -> None:
    assert is_checksum_list(name) is expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{MD5}  soil_R1.fastq.gz\n", {"soil_R1.fastq.gz": MD5}),
        (f"{MD5.upper()} *./deeper/soil R1.fastq\r\n", {"./deeper/soil R1.fastq": MD5}),
        (f"MD5 (soil_R1.fastq) = {MD5}\n", {"soil_R1.fastq": MD5}),
        (f"{MD5}\n", {"soil.fastq.gz": MD5}),
        (f"# made yesterday\n\n{MD5[:-1]}  soil\n{MD5}0  soil\n", {}),
        (f"{MD5}  a\n{OTHER}  b\n", {"a": MD5, "b": OTHER}),
    ],
)
def test_each_common_form_is_read_and_other_lines_are_passed_over(text: str, found: dict[str, str]) -> None:
    assert listed_checksums("soil.fastq.gz.md5", text) == found


def test_lists_name_files_from_their_own_folder_on(tmp_path: Path) -> None:
    deeper = tmp_path / "deeper"
    deeper.mkdir()
    (tmp_path / "checksums.md5").write_text(f"{MD5}  deeper/a.fastq\n{OTHER}  ./b.fastq\n")
    (deeper / "a.fastq.md5").write_text(f"{MD5}  a.fastq\n")

    assert found_checksums([tmp_path, deeper, tmp_path]) == {
        deeper / "a.fastq": MD5,
        tmp_path / "b.fastq": OTHER,
    }


def test_lists_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md5").write_text(f"{MD5}  a.fastq\n")
    (tmp_path / "md5sum.txt").write_text(f"{OTHER}  a.fastq\n")

    with pytest.raises(TransferRefused, match=r"gives a\.fastq another MD5 than another list"):
        found_checksums([tmp_path])
