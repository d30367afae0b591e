"""Which files and folders are closed, and which are left as they are."""

from pathlib import Path

import pytest
from seqfacility_instance.core.private_files import close_to_others, is_shared, make_private
from seqfacility_instance.site.checks import Verdict, private_checks


@pytest.mark.parametrize(
    ("before", "after"),
    [(0o777, 0o750), (0o755, 0o750), (0o770, 0o750), (0o2775, 0o2750), (0o700, 0o700), (0o751, 0o751)],
)
def test_a_folder_keeps_its_group_and_whom_it_only_lets_pass(tmp_path: Path, before: int, after: int) -> None:
    tmp_path.chmod(before)

    close_to_others(tmp_path)

    assert tmp_path.stat().st_mode & 0o7777 == after


def test_a_folder_of_many_is_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)

    close_to_others(tmp_path)

    assert tmp_path.stat().st_mode & 0o7777 == 0o1777


def test_a_private_file_keeps_its_content(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("content")
    file.chmod(0o644)
    assert is_shared(file)

    make_private(file)

    assert (file.read_text(), is_shared(file), is_shared(tmp_path / "none")) == ("content", False, False)


def test_check_setup_fails_for_each_file_that_others_can_read() -> None:
    (check,) = private_checks([Path("/srv/home/seqfacility.db")])

    assert check.verdict is Verdict.FAIL
    assert "Run `chmod 600 /srv/home/seqfacility.db`" in check.text
    assert private_checks([]) == []
