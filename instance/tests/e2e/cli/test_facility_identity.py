"""A lost, foreign or damaged key, a copied or moved state directory, a data folder of somebody else."""

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from seqfacility_instance.cli import main
from seqfacility_instance.site.identity import MARKER
from seqfacility_testkit.processes import whole_environment

ADMIN = ("--admin-email", "Admin@Facility.test")
LOST = "give the stored secrets up: `seqfacility init --new-key`"


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def run(home: Path, *arguments: str) -> Done:
    """Run a command within this process: what it prints and how it ends is all that counts here."""
    with (
        pytest.MonkeyPatch.context() as patch,
        redirect_stdout(StringIO()) as out,
        redirect_stderr(StringIO()) as err,
    ):
        patch.setenv("SEQFACILITY_HOME", str(home))
        patch.setenv("SEQFACILITY_DATABASE_URL", "")
        code = main(arguments)
    return Done(code, out.getvalue(), err.getvalue())


def started(home: Path) -> "subprocess.CompletedProcess[str]":
    """Run a worker as a process of its own until it has nothing to do."""
    return subprocess.run(
        [sys.executable, "-m", "seqfacility_instance", "worker", "--once"],
        env=whole_environment({"SEQFACILITY_HOME": str(home), "SEQFACILITY_DATABASE_URL": ""}),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def asked(home: Path, statement: str) -> list[Any]:
    with sqlite3.connect(home / "seqfacility.db") as database:
        rows = database.execute(statement).fetchall()
    database.close()
    return rows


def sections(home: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(asked(home, "SELECT extra_settings FROM site_settings")[0][0])
    return found


def store(home: Path, **changed: object) -> None:
    with sqlite3.connect(home / "seqfacility.db") as database:
        text = json.dumps({**sections(home), **changed})
        database.execute("UPDATE site_settings SET extra_settings = ?", (text,))
    database.close()


@pytest.fixture
def made(home: Path) -> Path:
    """Return a state directory that `init` made."""
    assert run(home, "init", *ADMIN).returncode == 0
    return home


def lose(key: Path) -> None:
    key.unlink()


def exchange(key: Path) -> None:
    key.write_bytes(Fernet.generate_key())


def damage(key: Path) -> None:
    key.write_bytes(b"no key at all")


@pytest.mark.parametrize(
    ("happens", "words", "is_noted"),
    [
        (lose, "secret.key is missing; ", True),
        (exchange, "secret.key is that of another facility; ", True),
        (exchange, "secret.key is that of another facility; ", False),
        (damage, "secret.key is damaged; ", True),
    ],
)
def test_a_key_that_does_not_fit_the_database_stops_everything_in_words(
    made: Path, happens: Callable[[Path], None], words: str, is_noted: bool
) -> None:
    if not is_noted:  # as an older release has left it
        store(made, identity={})
    happens(made / "secret.key")
    left = sorted(made.glob("secret.key*"))

    for command in (("init",), ("worker", "--once"), ("up",)):
        refused = run(made, *command)
        assert (refused.returncode, refused.stdout) == (1, ""), command
        assert refused.stderr.startswith(f"error: {words}"), refused.stderr
        assert refused.stderr.endswith(f"{LOST}\n")

    checked = run(made, "check-setup")
    assert (checked.returncode, checked.stderr) == (1, "")
    assert f"fail Key: {words}" in checked.stdout
    assert sorted(made.glob("secret.key*")) == left


@pytest.mark.parametrize("happens", [lose, exchange, damage])
def test_who_gives_the_secrets_up_gets_a_new_key_and_a_facility_that_works(
    made: Path, happens: Callable[[Path], None]
) -> None:
    happens(made / "secret.key")

    renewed = run(made, "init", "--new-key")
    again = run(made, "init", "--new-key")

    assert (renewed.returncode, again.returncode) == (0, 0), renewed.stderr
    assert run(made, "worker", "--once").returncode == 0
    assert "ok Key: secret.key is that of this database" in run(made, "check-setup").stdout
    assert len(list(made.glob("secret.key.*"))) == (happens is not lose)
    assert len(asked(made, "SELECT name FROM site_secrets")) == 1


def test_a_facility_of_an_older_release_is_noted_once_by_whoever_starts_first(made: Path) -> None:
    store(made, identity={})
    (made / "data" / MARKER).unlink()

    with ThreadPoolExecutor(4) as pool:
        ended = list(pool.map(started, [made] * 4))

    assert [one.returncode for one in ended] == [0] * 4, [one.stderr for one in ended]
    identity = sections(made)["identity"]
    assert (made / "data" / MARKER).read_text().strip() == identity["facilityId"]
    assert identity["homes"] == [str(made)]


def test_a_copied_state_directory_uses_its_own_folders_and_is_another_facility(
    made: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(made, copy)

    worked = run(copy, "worker", "--once")

    assert worked.returncode == 0, worked.stderr
    after = sections(copy)
    assert after["storage"]["dataBasePath"] == str(copy / "data")
    assert after["streamIngest"]["outputRoot"] == str(copy / "sequencer")
    assert after["identity"]["facilityId"] != sections(made)["identity"]["facilityId"]
    assert (copy / "data" / MARKER).read_text().strip() == after["identity"]["facilityId"]
    assert sections(made)["storage"]["dataBasePath"] == str(made / "data")
    assert run(made, "worker", "--once").returncode == 0
    assert f"ok Data folder: {copy}/data is there." in run(copy, "check-setup").stdout


def test_a_moved_state_directory_stays_the_same_facility(made: Path, tmp_path: Path) -> None:
    before, elsewhere = sections(made)["identity"]["facilityId"], tmp_path / "elsewhere"
    made.rename(elsewhere)

    assert run(elsewhere, "worker", "--once").returncode == 0

    after = sections(elsewhere)
    assert after["identity"] == {**after["identity"], "facilityId": before, "homes": [str(elsewhere)]}
    assert after["storage"]["dataBasePath"] == str(elsewhere / "data")


def test_a_state_directory_with_two_names_moves_nowhere(made: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(made)
    before = sections(made)

    assert run(tmp_path / "link", "worker", "--once").returncode == 0
    assert sections(made) == before


def test_a_state_directory_does_not_move_while_its_processes_live(made: Path, tmp_path: Path) -> None:
    copy, now = tmp_path / "copy", round(time.time() * 1000)
    shutil.copytree(made, copy)
    with sqlite3.connect(copy / "seqfacility.db") as database:
        database.execute(
            "INSERT INTO process_heartbeats (id, name, instance, started_at, last_heartbeat_at)"
            " VALUES ('x', 'worker', 'another-machine:1', ?, ?)",
            (now, now),
        )
    database.close()

    refused = run(copy, "worker", "--once")
    checked = run(copy, "check-setup")

    told = f"still running in {made}: worker; stop them, or wait a minute"
    assert (refused.returncode, refused.stderr) == (1, f"error: {told}\n")
    assert (checked.returncode, f"fail Facility: {told}.\n" in checked.stdout) == (1, True)


def test_a_data_folder_of_another_facility_is_refused_until_it_is_claimed(made: Path, tmp_path: Path) -> None:
    other, data = tmp_path / "other", tmp_path / "data"
    data.mkdir()
    assert run(other, "init").returncode == 0
    for home in (made, other):
        store(home, storage={"dataBasePath": str(data)})
    assert run(made, "worker", "--once").returncode == 0

    refused = run(other, "worker", "--once")
    serving = run(other, "serve", "--bind", "127.0.0.1:0")
    checked = run(other, "check-setup")
    claimed = run(other, "init", "--claim")

    assert refused.stderr == serving.stderr
    assert refused.stderr.startswith(f"error: {data} holds the data of another facility; ")
    assert refused.stderr.endswith("`seqfacility init --claim`\n")
    assert f"fail Facility: {data} holds the data of another facility" in checked.stdout
    assert claimed.returncode == 0, claimed.stderr
    assert run(other, "worker", "--once").returncode == 0
    assert run(made, "worker", "--once").returncode == 1


def test_a_copy_does_not_write_into_the_data_folder_outside_of_its_original(
    made: Path, tmp_path: Path
) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy"
    data.mkdir()
    store(made, storage={"dataBasePath": str(data)})
    run(made, "worker", "--once")
    shutil.copytree(made, copy)

    refused = run(copy, "monitor-runs", "--once")

    assert refused.returncode == 1
    assert f"{data} holds the data of another facility" in refused.stderr


@pytest.mark.parametrize("mark", ["", "torn", "\x00"])
def test_a_data_folder_with_a_mark_that_nobody_can_read_is_not_taken_for_ours(
    made: Path, tmp_path: Path, mark: str
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / MARKER).write_text(mark)
    store(made, storage={"dataBasePath": str(data)})

    assert run(made, "worker", "--once").returncode == 1
