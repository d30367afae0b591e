"""What lies on which file system, and where SQLite may not be used."""

from pathlib import Path

import pytest
from seqfacility_instance.cli import main
from seqfacility_instance.core import mounts
from seqfacility_instance.core.mounts import database_file_fault, file_system_of

TABLE = """\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
31 22 0:27 / /srv rw shared:9 - autofs systemd-1 rw,fd=40
90 22 0:55 / /srv rw,relatime shared:30 - nfs4 nas:/export rw,vers=4.2
91 90 0:56 / /srv/local\\040disk rw - xfs /dev/sdb1 rw
92 22 0:57 / /mnt/far rw - fuse.sshfs user@far:/ rw
93 22 0:58 / /mnt/box rw - 9p none rw,trans=fd
"""


@pytest.fixture(autouse=True)
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mountinfo"
    file.write_text(TABLE)
    monkeypatch.setattr(mounts, "MOUNT_TABLE", file)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/home/ada", "ext4"),
        ("/srv", "nfs4"),
        ("/srv/home/not there yet", "nfs4"),
        ("/srv/local disk/home", "xfs"),
        ("/srvices", "ext4"),
        ("/mnt/far/home", "sshfs"),
    ],
)
def test_the_nearest_mount_counts_and_of_two_at_one_place_the_later(path: str, kind: str) -> None:
    assert file_system_of(Path(path)) == kind


def test_a_link_is_followed_to_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "home").symlink_to("/srv/home")

    assert file_system_of(tmp_path / "home" / "seqfacility.db") == "nfs4"


def test_what_the_kernel_does_not_tell_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mounts, "MOUNT_TABLE", tmp_path / "none")

    assert file_system_of(tmp_path) is None
    assert database_file_fault(tmp_path / "seqfacility.db") is None


def test_sqlite_is_refused_where_other_machines_write_and_not_in_a_sandbox() -> None:
    assert database_file_fault("postgresql://host/name") is None
    assert database_file_fault(Path("/srv/local disk/seqfacility.db")) is None
    assert database_file_fault(Path("/mnt/box/seqfacility.db")) is None
    fault = database_file_fault(Path("/srv/home/seqfacility.db"))
    assert fault is not None
    assert fault.startswith("the SQLite database /srv/home/seqfacility.db is on nfs4")


def test_processes_that_stay_refuse_sqlite_on_a_network_file_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SEQFACILITY_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("SEQFACILITY_DATABASE_URL", raising=False)
    assert main(["init"]) == 0
    (tmp_path / "mountinfo").write_text(TABLE.replace("ext4", "lustre"))
    capsys.readouterr()

    commands = ("serve", "up", "worker", "monitor-runs", "monitor-streams")
    codes = [main([command]) for command in commands]
    refused = capsys.readouterr().err
    checked = main(["check-setup", "--only", "file system"])

    fault = database_file_fault(tmp_path / "home" / "seqfacility.db")
    assert codes == [1] * len(commands)
    assert refused == f"error: {fault}\n" * len(commands)
    assert checked == 1
    assert f"fail File system of database: {fault}.\n" in capsys.readouterr().out
