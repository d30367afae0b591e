"""What `backup` writes is what `restore` brings back, elsewhere and on either engine."""

import hashlib
import json
import os
import shutil
import sqlite3
import stat
from contextlib import closing, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from seqfacility_instance.backup.copying import facts_of_tables
from seqfacility_instance.backup.last_backup import last_backup_at
from seqfacility_instance.backup.manifest import Area, FileEntry, FileKind, entry_line
from seqfacility_instance.backup.rows import TableFacts
from seqfacility_instance.cli import main
from seqfacility_instance.facility_settings.identity_record import MARKER
from seqfacility_instance.tables.base import close_all_connections, open_database
from seqfacility_instance.tables.results import Assembly
from seqfacility_instance.tables.sequencing import Read
from seqfacility_instance.version import RELEASE
from seqfacility_testkit.facility import Facility
from seqfacility_wire.timestamps import format_optional_time

CONTENT = b"@r\nACGT\n+\nIIII\n"
MD5 = hashlib.md5(CONTENT, usedforsecurity=False).hexdigest()
READ = "orders/r1.fastq.gz"


@dataclass(frozen=True, slots=True)
class Place:
    """An installation that commands are run for."""

    home: Path
    database: str = ""

    def run(self, *arguments: str) -> tuple[int, str, str]:
        with (
            pytest.MonkeyPatch.context() as patch,
            redirect_stdout(StringIO()) as out,
            redirect_stderr(StringIO()) as err,
        ):
            patch.setenv("SEQFACILITY_HOME", str(self.home))
            patch.setenv("SEQFACILITY_DATABASE_URL", self.database)
            code = main(arguments)
        return code, out.getvalue(), err.getvalue()

    def facts(self) -> dict[str, TableFacts]:
        database = open_database(self.database or self.home / "seqfacility.db")
        with database.connection_context(), database.atomic():
            facts = facts_of_tables(database)
        close_all_connections(database)
        return facts


@pytest.fixture
def place(filled: tuple[Facility, dict[str, str]]) -> Place:
    """Return a facility with one of each, whose named files exist, besides some that nobody names."""
    facility, ids = filled
    data = facility.data
    for path in (READ, "orders/notes.txt", "orders/.tmp/none", "pipeline_runs/X/.log", "a", "b", "stray"):
        (data / path).parent.mkdir(parents=True, exist_ok=True)
        (data / path).write_bytes(CONTENT)
    (data / os.fsdecode(b"no \xff text")).write_bytes(CONTENT)
    (data / "pipeline_runs/X/link").symlink_to("../../a")
    Read.update(checksum1=MD5, size1=len(CONTENT)).where(Read.id == ids["read_id"]).execute()
    return Place(facility.home)


def unchanged_tables(before: dict[str, TableFacts], after: dict[str, TableFacts]) -> None:
    """Hold all rows against each other but the settings, which name the new place."""
    differing = {name for name in before if before[name] != after[name]}
    assert differing == {"site_settings"}


@pytest.mark.parametrize("mode", ["copy", "link"])
def test_a_restored_facility_has_every_row_and_every_file(place: Place, mode: str, tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "kept", Place(tmp_path / "elsewhere")

    code, out, _err = place.run("backup", str(folder), "--files", mode)

    assert code == 0
    assert f"backup: {folder}" in out
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "secret.key").stat().st_mode) == 0o600
    assert ((folder / "data" / READ).stat().st_ino == (place.home / "data" / READ).stat().st_ino) == (
        mode == "link"
    )
    assert (folder / "data/stray").stat().st_ino != (place.home / "data/stray").stat().st_ino
    assert not list(tmp_path.glob("*.partial"))

    code, out, err = elsewhere.run("restore", str(folder))

    assert (code, err) == (0, "")
    unchanged_tables(place.facts(), elsewhere.facts())
    (place.home / "data" / MARKER).unlink()
    for name in ("data", "packages"):
        assert tree(elsewhere.home / name) == tree(place.home / name)
    assert (elsewhere.home / "secret.key").read_bytes() == (place.home / "secret.key").read_bytes()
    assert stat.S_IMODE((elsewhere.home / "secret.key").stat().st_mode) == 0o600
    assert {path.name for path in elsewhere.home.iterdir()} == {
        "data", "databases", "packages", "secret.key", "seqfacility.db", "sequencer",
    }  # fmt: skip


def tree(root: Path) -> dict[str, object]:
    """Return what is below a folder: of files their content and time, of links their target."""
    return {
        str(path.relative_to(root)): path.readlink()
        if path.is_symlink()
        else (path.read_bytes(), path.stat().st_mtime_ns)
        for path in root.rglob("*")
        if not path.is_dir() or path.is_symlink()
    }


def test_a_backup_of_postgresql_is_restored_to_sqlite_and_back(
    place: Place, empty_postgresql: str, tmp_path: Path
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    on_server = Place(tmp_path / "server home", empty_postgresql)
    on_file = Place(tmp_path / "file home")

    assert place.run("backup", str(first), "--files", "copy")[0] == 0
    assert on_server.run("restore", str(first))[0] == 0
    unchanged_tables(place.facts(), on_server.facts())
    assert on_server.run("backup", str(second), "--files", "copy")[0] == 0
    assert on_file.run("restore", str(second))[0] == 0

    unchanged_tables(on_server.facts(), on_file.facts())
    assert not (on_server.home / "seqfacility.db").exists()
    again = Place(tmp_path / "third home", empty_postgresql).run("restore", str(second))
    assert (again[0], "the target database is not empty" in again[2]) == (1, True)


def test_a_list_of_files_is_held_against_files_that_came_another_way(place: Place, tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "kept", Place(tmp_path / "elsewhere")
    assert place.run("backup", str(folder))[0] == 0
    assert not (folder / "data").exists()
    data = tmp_path / "synced"
    place.home.joinpath("data").rename(data)
    (data / READ).write_bytes(CONTENT.replace(b"A", b"C"))
    (data / "stray").unlink()

    code, out, err = elsewhere.run("restore", str(folder), "--data", str(data))

    assert code == 1
    assert "restored, but 2 files are missing or different" in err
    assert f"different: {READ}" in out
    assert "missing: stray" in out
    assert elsewhere.facts()["orders"] == place.facts()["orders"]


def test_the_mark_of_a_data_folder_is_no_data(place: Place, tmp_path: Path) -> None:
    assert place.run("worker", "--once")[0] == 0
    assert (place.home / "data" / MARKER).exists()
    kept = tmp_path / "kept"
    assert place.run("backup", str(kept))[0] == 0
    files, head = kept / "files.jsonl", json.loads((kept / "backup.json").read_text())
    assert MARKER not in files.read_text()
    # As earlier backups list it.
    files.write_text(files.read_text() + entry_line(FileEntry(Area.DATA, MARKER, FileKind.FILE, 27)))
    head["parts"]["files.jsonl"] = hashlib.sha256(files.read_bytes()).hexdigest()
    (kept / "backup.json").write_text(json.dumps(head))

    _code, out, _err = Place(tmp_path / "elsewhere").run("restore", str(kept))

    assert f"missing: {READ}" in out
    assert MARKER not in out


def test_a_restored_facility_keeps_its_id_unless_it_is_a_copy(place: Place, tmp_path: Path) -> None:
    assert place.run("worker", "--once")[0] == 0
    assert place.run("backup", str(tmp_path / "kept"), "--files", "copy")[0] == 0
    again, copy = Place(tmp_path / "again"), Place(tmp_path / "copy")

    for restored, options in ((again, ()), (copy, ("--as-copy",))):
        assert restored.run("restore", str(tmp_path / "kept"), *options)[0] == 0
        assert restored.run("worker", "--once")[0] == 0

    marks = [(one.home / "data" / MARKER).read_text() for one in (place, again, copy)]
    assert marks[0] == marks[1] != marks[2]


def test_a_copy_writes_to_nobody(place: Place, tmp_path: Path) -> None:
    mail = {"host": "mail.lab.test", "from": "sequencing@lab.test"}
    heads = {"keepDays": 400, "headFile": str(tmp_path / "heads.jsonl"), "syslog": "log.lab.test:514"}
    with closing(sqlite3.connect(place.home / "seqfacility.db")) as database, database:
        (sections,) = database.execute("SELECT extra_settings FROM site_settings").fetchone()
        changed = json.dumps(json.loads(sections) | {"mail": mail, "audit": heads})
        database.execute("UPDATE site_settings SET extra_settings = ?", (changed,))
        database.execute(
            "INSERT INTO outgoing_mails (id, kind, address, facts, status, attempts, due_at, created_at)"
            " VALUES ('waits', 'invitation', 'new@lab.test', '{}', 'waiting', 0, 0, 0)"
        )
    assert place.run("backup", str(tmp_path / "kept"))[0] == 0
    again, copy = Place(tmp_path / "again"), Place(tmp_path / "copy")
    found = {}

    for restored, options in ((again, ()), (copy, ("--as-copy",))):
        restored.run("restore", str(tmp_path / "kept"), *options)
        with closing(sqlite3.connect(restored.home / "seqfacility.db")) as database:
            (sections,) = database.execute("SELECT extra_settings FROM site_settings").fetchone()
            (waiting,) = database.execute(
                "SELECT count(*) FROM outgoing_mails WHERE finished_at IS NULL"
            ).fetchone()
        read = json.loads(sections)
        found[restored.home] = (read.get("mail"), read.get("audit"), waiting)

    assert found == {again.home: (mail, heads, 1), copy.home: (None, {"keepDays": 400}, 0)}


def test_a_file_that_was_missing_at_the_time_is_told_and_not_held_against_the_backup(
    place: Place, tmp_path: Path
) -> None:
    (place.home / "data" / READ).unlink()

    code, out, _err = place.run("backup", str(tmp_path / "kept"), "--files", "copy")
    restored = Place(tmp_path / "elsewhere").run("restore", str(tmp_path / "kept"))

    assert (code, f"missing: {READ}" in out) == (0, True)
    assert (restored[0], f"was missing: {READ}" in restored[1]) == (0, True)


def test_a_file_that_is_not_what_the_database_says_is_told(place: Place, tmp_path: Path) -> None:
    (place.home / "data" / READ).write_bytes(b"something else")

    code, out, _err = place.run("backup", str(tmp_path / "kept"), "--files", "copy")

    assert (code, f"damaged: {READ}" in out) == (0, True)


@pytest.mark.parametrize("name", ["seqfacility.db", "files.jsonl", "secret.key"])
def test_a_damaged_backup_is_refused(place: Place, name: str, tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "kept", Place(tmp_path / "elsewhere")
    assert place.run("backup", str(folder))[0] == 0
    with (folder / name).open("r+b") as part:
        part.seek(10)
        part.write(b"!")

    code, _out, err = elsewhere.run("restore", str(folder))

    assert (code, f"{name} is not what was written" in err) == (1, True)
    assert not elsewhere.home.exists()


def test_a_backup_that_fails_leaves_nothing(place: Place, tmp_path: Path) -> None:
    (place.home / "secret.key").unlink()

    code, _out, err = place.run("backup", str(tmp_path / "kept"))

    assert (code, "the backup failed: " in err) == (1, True)
    assert not list(tmp_path.glob("kept*"))


def test_a_backup_without_the_key_is_restored_with_the_key_from_elsewhere(
    place: Place, tmp_path: Path
) -> None:
    key = (place.home / "secret.key").read_bytes()
    early, late = Place(tmp_path / "early"), Place(tmp_path / "late")
    early.home.mkdir()
    (early.home / "secret.key").write_bytes(key)

    code, _out, err = place.run("backup", str(tmp_path / "kept"), "--files", "copy", "--without-key")
    with_key = early.run("restore", str(tmp_path / "kept"))
    without = late.run("restore", str(tmp_path / "kept"))

    assert (code, err) == (0, "")
    kept = (path for path in (tmp_path / "kept").rglob("*") if path.is_file())
    assert not any(key in path.read_bytes() for path in kept)
    assert (with_key[0], "secret.key" in with_key[1], without[0]) == (0, False, 0)
    assert f"missing: secret.key, which the backup leaves out; put it into {late.home}\n" in without[1]
    assert early.run("worker", "--once")[0] == 0
    assert "error: secret.key is missing; " in late.run("worker", "--once")[2]
    (late.home / "secret.key").write_bytes(key)
    assert late.run("worker", "--once")[0] == 0


def test_a_facility_whose_key_is_lost_can_be_backed_up_without_it(place: Place, tmp_path: Path) -> None:
    (place.home / "secret.key").unlink()

    assert place.run("backup", str(tmp_path / "kept"), "--without-key")[0] == 0


def test_half_a_backup_is_neither_restored_nor_written_over(place: Place, tmp_path: Path) -> None:
    partial = tmp_path / "kept.partial"
    partial.mkdir()

    again = place.run("backup", str(tmp_path / "kept"))
    restored = Place(tmp_path / "elsewhere").run("restore", str(partial))

    assert (again[0], "an unfinished backup left" in again[2]) == (1, True)
    assert (restored[0], "was never finished" in restored[2]) == (1, True)


def test_folders_that_hold_something_are_refused(place: Place, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    inside = place.run("backup", str(place.home / "data/kept"))
    assert (inside[0], "lies in the data folder" in inside[2]) == (1, True)
    assert place.run("backup", str(folder), "--files", "copy")[0] == 0

    taken = place.run("backup", str(folder))
    filled = place.run("restore", str(folder))

    assert (taken[0], "exists; a backup makes its folder itself" in taken[2]) == (1, True)
    assert (filled[0], "is not empty" in filled[2]) == (1, True)


def test_a_restored_facility_shows_its_files_from_the_new_place(place: Place, tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "kept", Place(tmp_path / "elsewhere")
    assert place.run("backup", str(folder), "--files", "copy")[0] == 0
    assert elsewhere.run("restore", str(folder))[0] == 0

    code, out, _err = elsewhere.run("check-setup")

    assert str(place.home) not in out
    assert f"{elsewhere.home / 'data'}" in out
    assert code in {0, 1}


def rotated(place: Place, into: Path, *more: str) -> dict[str, Any]:
    assert place.run("init")[0] == 0  # a facility that was never started has no id
    code, out, err = place.run("backup", "--into", str(into), "--keep", "2", "--json", *more)
    assert code == 0, err
    made: dict[str, Any] = json.loads(out)
    # The next one is a second later, and so is its name.
    renamed = Path(made["folder"]).rename(into / f"{len(list(into.iterdir()))} {made['at']}".replace(":", ""))
    return {**made, "folder": str(renamed)}


def test_rotation_keeps_the_newest_and_takes_nothing_else(place: Place, tmp_path: Path) -> None:
    into = tmp_path / "backups"
    into.mkdir()
    (into / "notes").mkdir()
    (into / "2031.partial").mkdir()
    (into / "file").write_text("nobody's")
    other = Place(tmp_path / "other")
    assert other.run("init")[0] == 0
    assert other.run("backup", str(into / "of another facility"))[0] == 0
    made = [rotated(place, into) for _ in range(2)]
    (into / "link").symlink_to(made[0]["folder"])

    third = rotated(place, into)

    assert third["removed"] == [made[0]["folder"]]
    left = {path.name for path in into.iterdir()}
    assert left == {
        "notes", "2031.partial", "file", "link", "of another facility",
        Path(made[1]["folder"]).name, Path(third["folder"]).name,
    }  # fmt: skip
    restored = Place(tmp_path / "elsewhere").run(
        "restore", third["folder"], "--data", str(place.home / "data")
    )
    assert restored[0] == 0


def test_rotation_takes_no_backup_of_the_facility_that_this_one_is_a_copy_of(
    place: Place, tmp_path: Path
) -> None:
    into = tmp_path / "backups"
    into.mkdir()
    of_original = [rotated(place, into)["folder"] for _ in range(2)]
    copied = Place(Path(shutil.copytree(place.home, tmp_path / "copied", symlinks=True)))

    removed = [rotated(copied, into)["removed"] for _ in range(2)]

    assert removed == [[], []]
    assert all(Path(folder).is_dir() for folder in of_original)


def test_a_facility_with_a_new_key_goes_on_rotating_its_backups(place: Place, tmp_path: Path) -> None:
    into = tmp_path / "backups"
    into.mkdir()
    first = rotated(place, into)["folder"]
    rotated(place, into)
    (place.home / "secret.key").unlink()
    assert place.run("init", "--new-key")[0] == 0

    assert rotated(place, into)["removed"] == [first]


def test_the_last_backup_that_missed_nothing_outlives_a_data_folder_that_is_gone(
    place: Place, tmp_path: Path
) -> None:
    into = tmp_path / "backups"
    into.mkdir()
    for path in named_files(place):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(CONTENT)
    complete = rotated(place, into)
    assert complete["missing"] == 0
    (place.home / "data").rename(tmp_path / "unmounted")
    (place.home / "data").mkdir()

    later = [rotated(place, into) for _ in range(3)]

    assert all(made["missing"] > 0 for made in later)
    assert {path.name for path in into.iterdir()} == {
        Path(made["folder"]).name for made in (complete, *later[1:])
    }


def named_files(place: Place) -> list[Path]:
    """Return every file that the rows name."""
    _code, out, _err = place.run("backup", str(place.home.parent / "survey"))
    named = [line.removeprefix("missing: ") for line in out.splitlines() if line.startswith("missing: ")]
    return [place.home / "data" / name for name in named]


def test_a_removal_that_broke_off_is_finished_by_the_next_backup(place: Place, tmp_path: Path) -> None:
    into = tmp_path / "backups"
    into.mkdir()
    begun = Path(rotated(place, into)["folder"])
    (begun / "seqfacility.db").unlink()
    begun.rename(into / "old.removing")

    rotated(place, into)

    assert not (into / "old.removing").exists()


def test_a_backup_that_fails_removes_nothing_and_is_not_noted(place: Place, tmp_path: Path) -> None:
    into = tmp_path / "backups"
    into.mkdir()
    before = [rotated(place, into)["folder"] for _ in range(2)]
    noted = (place.home / "last-backup.json").read_bytes()
    key = (place.home / "secret.key").rename(place.home / "away.key")

    code, _out, err = place.run("backup", "--into", str(into), "--keep", "1")

    key.rename(place.home / "secret.key")
    assert (code, err.startswith("error: the backup failed: ")) == (1, True)
    assert sorted(str(path) for path in into.iterdir()) == sorted(before)
    assert (place.home / "last-backup.json").read_bytes() == noted


def test_a_folder_that_takes_no_backup_is_named_as_the_cause(place: Place) -> None:
    code, _out, err = place.run("backup", "--into", "/proc", "--keep", "1")

    assert (code, err.startswith("error: the backup failed: ")) == (1, True)
    assert "whole" not in err


def test_the_state_directory_knows_the_last_backup(place: Place, tmp_path: Path) -> None:
    assert last_backup_at(place.home) is None

    code, out, _err = place.run("backup", str(tmp_path / "kept"), "--json")

    made = json.loads(out)
    noted = json.loads((place.home / "last-backup.json").read_text("utf-8"))
    assert code == 0
    assert noted == {name: made[name] for name in ("at", "folder", "files", "bytes")} | {"release": RELEASE}
    assert format_optional_time(last_backup_at(place.home)) == noted["at"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"at": 7}', '{"at": "yesterday"}'])
def test_a_note_that_nobody_understands_is_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "last-backup.json").write_text(text)

    assert last_backup_at(tmp_path) is None


def test_run_folders_may_stay_out_but_not_their_assemblies(
    place: Place, filled: tuple[Facility, dict[str, str]], tmp_path: Path
) -> None:
    kept = place.home / "data/pipeline_runs/X/assembly.fa"
    kept.write_bytes(CONTENT)
    Assembly.create(
        sample=filled[1]["sample_id"],
        assembly_name="X",
        assembly_file=str(kept),
        created_by_pipeline_run=filled[1]["run_id"],
    )

    code, out, _err = place.run("backup", str(tmp_path / "kept"), "--without-runs", "--files", "copy")

    assert code == 0
    held = tree(tmp_path / "kept/data")
    assert {path for path in held if path.startswith("pipeline_runs")} == {"pipeline_runs/X/assembly.fa"}
    assert "stray" in held
    assert "missing: pipeline_runs/X/assembly.fa" not in out
    assert Place(tmp_path / "elsewhere").run("restore", str(tmp_path / "kept"))[0] == 0


@pytest.mark.parametrize(
    "arguments", [(), ("a", "--into", "b"), ("a", "--keep", "3"), ("--into", "b", "--keep", "0")]
)
def test_options_that_do_not_go_together_are_wrong_usage(place: Place, arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as ended:
        place.run("backup", *arguments)

    assert ended.value.code == 2
