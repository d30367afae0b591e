"""The command line as the decisions print it: lines, exit codes, help."""

import json
import os
import re
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_instance.cli import COMMANDS
from seqfacility_testkit.processes import whole_environment

Command = Callable[..., Any]
PASSWORD = "correct horse battery"
ADMIN = ("--admin-email", "Admin@Facility.test")
PROFILE = {
    "schemaVersion": 1,
    "id": "teaching",
    "name": "Teaching",
    "version": "1.2.0",
    "minServiceVersion": "0.0.1",
    "capabilities": [],
    "requiredSecrets": [{"name": "weblog", "path": "settings.execution.weblogSecret"}],
    "settings": {
        "access": {"siteName": "Course"},
        "execution": {"weblogSecret": "secret of the course"},
    },
    "modules": {"funding-info": True},
    "studyForm": {
        "fields": [{"id": "goal", "name": "goal", "label": "Goal", "type": "text", "groupId": "general"}],
        "groups": [{"id": "general", "name": "General"}],
    },
    "catalog": {"syncUrl": "https://mirror.example/api/registry/sequencing-tech"},
    "pipelines": [{"id": "reads-qc", "enabled": False}],
}


def stored(home: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    with sqlite3.connect(home / "seqfacility.db") as database:
        row = database.execute("SELECT extra_settings, modules_config FROM site_settings").fetchone()
    database.close()
    return json.loads(row[0]), json.loads(row[1])


def test_init_makes_everything_and_repeating_it_changes_nothing(seqfacility: Command, home: Path) -> None:
    first = seqfacility("init", *ADMIN, "--admin-password-stdin", stdin=f"{PASSWORD}\n")
    before = stored(home)
    key = (home / "secret.key").read_bytes()

    second = seqfacility("init", *ADMIN, "--admin-password-stdin", stdin="another password\n")

    assert first.returncode == second.returncode == 0
    assert first.stdout == f"home: {home}\ndatabase: sqlite\nadmin: admin@facility.test created\n"
    assert second.stdout == f"home: {home}\ndatabase: sqlite\nadmin: admin@facility.test existing\n"
    assert stored(home) == before
    assert (home / "secret.key").read_bytes() == key
    assert stat.S_IMODE((home / "secret.key").stat().st_mode) == 0o600
    assert {folder.name for folder in home.iterdir() if folder.is_dir()} >= {
        "data", "sequencer", "packages", "databases",
    }  # fmt: skip


def test_init_generates_a_password_and_shows_it_once(seqfacility: Command) -> None:
    first = seqfacility("init", *ADMIN)
    second = seqfacility("init", *ADMIN)

    assert re.search(r"^password: \S{16,}$", first.stdout, re.MULTILINE)
    assert "password:" not in second.stdout


def test_init_without_an_email_makes_no_account(seqfacility: Command) -> None:
    made = seqfacility("init")

    assert (made.returncode, "admin:" in made.stdout) == (0, False)
    checked = seqfacility("check-setup")
    assert checked.returncode == 1
    assert "fail First admin:" in checked.stdout
    assert "seqfacility init --admin-email" in checked.stdout


def test_a_weak_password_is_refused_in_one_line(seqfacility: Command) -> None:
    refused = seqfacility("init", *ADMIN, "--admin-password-stdin", stdin="short\n")

    assert refused.returncode == 1
    assert refused.stderr == (
        "error: Password does not meet the rules; password: must have at least 10 characters\n"
    )


def test_users_create_prints_one_json_line(seqfacility: Command) -> None:
    seqfacility("init")
    words = ("--email", "Ada@Lab.test", "--role", "RESEARCHER", "--first-name", "Ada", "--last-name", "L")

    made = seqfacility("users", "create", *words, "--password-stdin", stdin=f"{PASSWORD}\n")
    taken = seqfacility("users", "create", *words, "--password-stdin", stdin=f"{PASSWORD}\n")
    weak = seqfacility("users", "create", *words, "--password-stdin", stdin="short\n")

    assert made.returncode == 0
    line = json.loads(made.stdout)
    assert made.stdout.count("\n") == 1
    assert (sorted(line), line["email"], line["role"]) == (
        ["email", "id", "role"], "ada@lab.test", "RESEARCHER",
    )  # fmt: skip
    assert (taken.returncode, taken.stderr) == (1, "error: An account with this email already exists\n")
    assert weak.returncode == 1


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("dance",),
        ("init", "--loudly"),
        ("init", "--admin-password-stdin"),
        ("init", "--access-code-stdin"),
        ("users", "create"),
        ("users", "create", "--email", "a@b.test", "--role", "KING"),
        ("serve", "--workers", "many"),
    ],
)
def test_wrong_usage_ends_with_two(seqfacility: Command, arguments: tuple[str, ...]) -> None:
    wrong = seqfacility(*arguments)

    assert wrong.returncode == 2
    assert "usage:" in wrong.stderr


def test_accounts_are_listed_and_changed_with_a_line_in_the_audit_trail(
    seqfacility: Command, home: Path
) -> None:
    seqfacility("init", *ADMIN)
    words = ("--email", "ada@lab.test", "--role", "RESEARCHER", "--first-name", "Ada", "--last-name", "Lake")
    seqfacility("users", "create", *words, "--password-stdin", stdin=f"{PASSWORD}\n")

    deactivated = seqfacility("users", "deactivate", "Ada@lab.test")
    listed = seqfacility("users", "list")
    activated = seqfacility("users", "activate", "ada@lab.test")
    promoted = seqfacility("users", "role", "ada@lab.test", "FACILITY_ADMIN")
    shapes = json.loads(seqfacility("users", "list", "--json").stdout)

    assert (deactivated.returncode, json.loads(deactivated.stdout)["isActive"]) == (0, False)
    assert [line.split()[:3] for line in listed.stdout.splitlines()] == [
        ["ada@lab.test", "RESEARCHER", "inactive"],
        ["admin@facility.test", "FACILITY_ADMIN", "active"],
    ]
    assert json.loads(activated.stdout)["isActive"] is True
    assert json.loads(promoted.stdout)["role"] == "FACILITY_ADMIN"
    assert [one["email"] for one in shapes] == ["ada@lab.test", "admin@facility.test"]
    with sqlite3.connect(home / "seqfacility.db") as database:
        trail = list(database.execute("SELECT action, actor_id FROM audit_events ORDER BY rowid"))
    database.close()
    assert trail[-3:] == [("user-changed", None), ("user-changed", None), ("role-changed", None)]


def test_a_person_is_exported_to_a_private_file_and_erased_only_with_yes(
    seqfacility: Command, home: Path, tmp_path: Path
) -> None:
    seqfacility("init", *ADMIN)
    words = ("--email", "ada@lab.test", "--role", "RESEARCHER", "--first-name", "Ada", "--last-name", "Lake")
    seqfacility("users", "create", *words, "--password-stdin", stdin=f"{PASSWORD}\n")
    file = tmp_path / "ada.json"

    written = seqfacility("users", "export", "Ada@lab.test", "--output", str(file))
    again = seqfacility("users", "export", "ada@lab.test", "--output", str(file))
    printed = seqfacility("users", "export", "ada@lab.test")
    told = seqfacility("users", "erase", "ada@lab.test")
    exported = seqfacility("users", "list")
    done = seqfacility("users", "erase", "ada@lab.test", "--yes")
    gone = seqfacility("users", "erase", "ada@lab.test", "--yes")
    last = seqfacility("users", "erase", "admin@facility.test", "--yes")

    assert (written.returncode, written.stdout) == (0, "")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text())["account"] == json.loads(printed.stdout)["account"]
    assert (again.returncode, again.stderr) == (1, f"error: {file} cannot be written: File exists\n")
    assert (told.returncode, json.loads(told.stdout)["erased"]) == (0, False)
    assert "run it again with --yes" in told.stderr
    assert "ada@lab.test" in exported.stdout
    assert json.loads(done.stdout) == {**json.loads(told.stdout), "erased": True}
    assert (gone.returncode, gone.stderr) == (1, "error: User not found\n")
    assert (last.returncode, last.stderr) == (1, "error: At least one active facility admin must remain\n")
    assert "Former user" in seqfacility("users", "list").stdout


def test_an_account_that_waits_for_approval_is_listed_as_such_until_it_is_activated(
    seqfacility: Command, home: Path
) -> None:
    seqfacility("init", *ADMIN)
    words = ("--email", "ada@lab.test", "--role", "RESEARCHER", "--first-name", "Ada", "--last-name", "Lake")
    seqfacility("users", "create", *words, "--password-stdin", stdin=f"{PASSWORD}\n")
    with sqlite3.connect(home / "seqfacility.db") as database:
        waits = "UPDATE users SET is_active = 0, pending_since = created_at WHERE email = 'ada@lab.test'"
        database.execute(waits)
    database.close()

    listed = seqfacility("users", "list")
    shapes = json.loads(seqfacility("users", "list", "--json").stdout)
    activated = seqfacility("users", "activate", "ada@lab.test")

    assert listed.stdout.splitlines()[0].split()[:3] == ["ada@lab.test", "RESEARCHER", "waiting"]
    assert [one.get("pendingApproval") for one in shapes] == [True, None]
    assert "pendingApproval" not in json.loads(activated.stdout)


def test_a_password_is_reset_and_shown_once(seqfacility: Command) -> None:
    seqfacility("init", *ADMIN)

    generated = seqfacility("users", "reset", "admin@facility.test")
    chosen = seqfacility(
        "users", "reset", "admin@facility.test", "--password-stdin", stdin="a password of one's own\n"
    )
    weak = seqfacility("users", "reset", "admin@facility.test", "--password-stdin", stdin="short\n")

    assert len(json.loads(generated.stdout)["password"]) == 20
    assert (chosen.returncode, "password" in json.loads(chosen.stdout)) == (0, False)
    assert (weak.returncode, weak.stderr.splitlines()) == (
        1, ["error: Password does not meet the rules; password: must have at least 10 characters"],
    )  # fmt: skip


def test_a_locked_out_admin_is_let_in_without_a_second_factor(seqfacility: Command, home: Path) -> None:
    seqfacility("init", *ADMIN)
    none = seqfacility("users", "reset-second-factor", "admin@facility.test")
    with sqlite3.connect(home / "seqfacility.db") as database:
        database.execute(
            "INSERT INTO second_factors"
            " (id, user_id, sealed_secret, last_counter, recovery_hashes, enabled_at, created_at)"
            " SELECT 'f', id, 'sealed', 0, '[\"hash\"]', created_at, created_at FROM users"
        )
    database.close()

    removed = seqfacility("users", "reset-second-factor", "Admin@facility.test")

    with sqlite3.connect(home / "seqfacility.db") as database:
        left = database.execute("SELECT COUNT(*) FROM second_factors").fetchall()
        actors = database.execute(
            "SELECT actor_id FROM audit_events WHERE action = 'second-factor-reset'"
        ).fetchall()
    database.close()
    assert (none.returncode, none.stderr) == (1, "error: No second factor is set up\n")
    assert (removed.returncode, json.loads(removed.stdout)["email"]) == (0, "admin@facility.test")
    assert (left, actors) == ([(0,)], [(None,)])


def test_a_command_leaves_the_last_active_admin_one_and_knows_no_stranger(seqfacility: Command) -> None:
    seqfacility("init", *ADMIN)

    demoted = seqfacility("users", "role", "admin@facility.test", "RESEARCHER")
    deactivated = seqfacility("users", "deactivate", "admin@facility.test")
    unknown = seqfacility("users", "reset", "nobody@lab.test")

    refusal = (1, "error: At least one active facility admin must remain\n")
    assert (demoted.returncode, demoted.stderr) == refusal
    assert (deactivated.returncode, deactivated.stderr) == refusal
    assert (unknown.returncode, unknown.stderr) == (1, "error: User not found\n")


def test_the_program_names_its_release_and_says_what_it_is(seqfacility: Command) -> None:
    told = seqfacility("--version")
    helped = seqfacility("--help")
    serve = seqfacility("serve", "--help")

    assert re.fullmatch(r"seqfacility \d+\.\d+\.\d+\S*\n", told.stdout)
    assert "sequencing core facility" in helped.stdout
    assert "examples:" in helped.stdout
    assert "(default: 127.0.0.1:8080)" in serve.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_a_shell_is_told_every_command(seqfacility: Command, shell: str) -> None:
    printed = seqfacility("--print-completion", shell)

    assert printed.returncode == 0
    assert all(name in printed.stdout for name in COMMANDS)


def test_init_and_check_pipelines_speak_json(seqfacility: Command, home: Path) -> None:
    made = seqfacility("init", *ADMIN, "--json")
    checked = seqfacility("check-pipelines", "--json")

    said = json.loads(made.stdout)
    assert (said["home"], said["database"]) == (str(home), "sqlite")
    assert said["admin"] == {"email": "admin@facility.test", "outcome": "created"}
    assert len(said["password"]) == 20
    first = json.loads(checked.stdout)[0]
    assert sorted(first) == ["checks", "id", "ready", "version"]


@pytest.mark.parametrize("command", ["serve", "up"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_port_in_use_is_one_line_in_the_form_of_the_log(
    seqfacility: Command, command: str, form: str
) -> None:
    seqfacility("init")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        bind = f"127.0.0.1:{taken.getsockname()[1]}"

        refused = seqfacility(command, "--bind", bind, SEQFACILITY_LOG_FORMAT=form)

    assert refused.returncode == 1
    (line,) = refused.stderr.splitlines()
    text = f"cannot listen on {bind}: Address already in use"
    assert (line == f"error: {text}") if form == "text" else (json.loads(line)["message"] == text)


def test_checks_that_were_not_made_are_not_passed(seqfacility: Command) -> None:
    seqfacility("init", "--admin-email", "ada@example.org")
    away = {"SEQFACILITY_DATABASE_URL": "postgresql://u@127.0.0.1:1/a"}

    refused = seqfacility("check-setup", "--only", "Process", **away)
    unknown = seqfacility("check-setup", "--only", "Key", "--only", "Proces:")

    assert (refused.returncode, refused.stdout.startswith("fail Database: ")) == (1, True)
    assert (unknown.returncode, unknown.stdout.startswith("ok Key: ")) == (0, True)
    assert unknown.stderr == "warning: no check begins with Proces:\n"


@pytest.mark.parametrize("command", [("worker", "--once"), ("serve", "--bind")])
def test_a_stored_folder_that_is_refused_is_a_warning_at_the_start(
    seqfacility: Command, home: Path, command: tuple[str, ...]
) -> None:
    seqfacility("init")
    with sqlite3.connect(home / "seqfacility.db") as database:
        stored = json.dumps({"storage": {"dataBasePath": str(home)}})
        database.execute("UPDATE site_settings SET extra_settings = ?", (stored,))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        bind = [f"127.0.0.1:{taken.getsockname()[1]}"] if "--bind" in command else []

        said = seqfacility(*command, *bind, SEQFACILITY_LOG_FORMAT="json").stderr

    warning = json.loads(said.splitlines()[0])
    assert warning["level"] == "WARNING"
    assert warning["message"] == (
        "storage.dataBasePath must not hold the state directory, the installation or folders of the system,"
        " and counts as not set; set another folder on the settings page"
    )


@pytest.mark.parametrize("arguments", [("check-setup",), ("users", "list"), ("--help",)])
def test_a_command_whose_output_nobody_reads_ends_without_a_word(
    seqfacility: Command, home: Path, arguments: tuple[str, ...]
) -> None:
    seqfacility("init", "--admin-email", "ada@example.org")
    reading, writing = os.pipe()
    os.close(reading)

    with os.fdopen(writing, "wb") as unread:
        ended = subprocess.run(
            [sys.executable, "-m", "seqfacility_instance", *arguments],
            env=whole_environment({"SEQFACILITY_HOME": str(home), "SEQFACILITY_DATABASE_URL": ""}),
            stdout=unread, stderr=subprocess.PIPE, text=True, timeout=120, check=False,
        )  # fmt: skip

    assert (ended.returncode, ended.stderr) == (141, "")


@pytest.mark.parametrize("arguments", [("users", "list"), ("--version",)])
def test_a_command_whose_output_cannot_be_written_says_so_in_a_line(
    seqfacility: Command, home: Path, arguments: tuple[str, ...]
) -> None:
    seqfacility("init", "--admin-email", "ada@example.org")

    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "seqfacility_instance", *arguments],
            env=whole_environment({"SEQFACILITY_HOME": str(home), "SEQFACILITY_DATABASE_URL": ""}),
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=120, check=False,
        )  # fmt: skip

    assert (ended.returncode, ended.stderr) == (
        1, "error: cannot write the output: No space left on device\n",
    )  # fmt: skip


def test_an_unknown_log_level_is_refused(seqfacility: Command) -> None:
    seqfacility("init")

    refused = seqfacility("worker", "--once", SEQFACILITY_LOG_LEVEL="loud")

    assert (refused.returncode, refused.stderr) == (
        2, "error: SEQFACILITY_LOG_LEVEL: must be debug, info, warning or error\n",
    )  # fmt: skip


@pytest.mark.parametrize("command", [(), ("users", "create"), *[(name,) for name in COMMANDS]])
def test_every_command_explains_itself(seqfacility: Command, command: tuple[str, ...]) -> None:
    explained = seqfacility(*command, "--help")

    assert explained.returncode == 0
    assert explained.stdout.startswith("usage: seqfacility")
    assert explained.stderr == ""


def test_commands_without_an_installation_say_what_to_do(seqfacility: Command, home: Path) -> None:
    for command in (("serve",), ("worker", "--once"), ("migrate",)):
        refused = seqfacility(*command)
        assert (refused.returncode, refused.stderr) == (
            1, f"error: {home} does not exist; run `seqfacility init` first\n",
        )  # fmt: skip
    assert not home.exists()


def test_check_setup_tells_of_nothing_without_making_anything(seqfacility: Command, home: Path) -> None:
    checked = seqfacility("check-setup")

    assert checked.returncode == 1
    assert [line.split()[0] for line in checked.stdout.splitlines()] == ["ok", "fail", "warn", "warn"]
    assert not home.exists()


def test_check_setup_says_what_is_wrong_around_a_finished_set_up(seqfacility: Command, home: Path) -> None:
    seqfacility("init", *ADMIN)
    fine = seqfacility("check-setup")
    (home / "data").rename(home / "away")
    broken = seqfacility("check-setup")

    assert fine.returncode == 0, fine.stdout
    lines = fine.stdout.splitlines()
    assert all(line.split()[0] in {"ok", "warn"} for line in lines)
    assert "warn Passwords: an account still has its generated password. Change it." in lines
    assert any(line.startswith("warn Process worker: is not running.") for line in lines)
    assert broken.returncode == 1
    assert f"fail Data folder: {home}/data does not exist. Make it, or set another one." in broken.stdout


def test_check_setup_misses_the_key(seqfacility: Command, home: Path) -> None:
    seqfacility("init", *ADMIN)
    (home / "secret.key").unlink()

    checked = seqfacility("check-setup")

    assert checked.returncode == 1
    assert "fail Key:" in checked.stdout


def test_a_profile_is_applied_once(seqfacility: Command, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "profile.json"
    file.write_text(json.dumps(PROFILE))

    first = seqfacility("init", *ADMIN, "--profile", str(file))
    sections, modules = stored(home)
    second = seqfacility("init", "--profile", str(file))

    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith('profile teaching 1.2.0 sets:\n  access.siteName = "Course"\n')
    assert "  execution.weblogSecret = ***\n" in first.stdout
    assert first.stdout.endswith("profile: teaching 1.2.0 applied\n")
    assert second.stdout.endswith("profile: teaching 1.2.0 existing\n")
    assert sections["access"]["siteName"] == "Course"
    assert sections["studyForm"]["fields"][0]["name"] == "goal"
    assert sections["installProfile"]["id"] == "teaching"
    assert modules["modules"]["funding-info"] is True
    assert "secret of the course" not in json.dumps(sections)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (
            {"minServiceVersion": "99.0.0"},
            r"error: The profile needs release 99\.0\.0 or newer; this is \d+\.\d+\.\d+\n",
        ),
        (
            {"settings": {"execution": {"nextflowCommand": "/srv/other.sh"}}},
            "error: The profile sets execution.nextflowCommand; .*\n",
        ),
        (
            {"settings": {"access": {"blink": 1}}},
            "error: The document is not a resolved install profile; .*\n",
        ),
        (
            {"settings": {"access": {}}},
            "error: The profile lacks the secret at settings.execution.weblogSecret; .*\n",
        ),
    ],
)
def test_a_profile_that_cannot_be_applied_stops_init_before_anything_is_made(
    seqfacility: Command, home: Path, tmp_path: Path, change: dict[str, object], error: str
) -> None:
    file = tmp_path / "profile.json"
    file.write_text(json.dumps({**PROFILE, **change}))

    refused = seqfacility("init", *ADMIN, "--profile", str(file))

    assert refused.returncode == 1
    assert re.fullmatch(error, refused.stderr), refused.stderr
    assert not home.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"pipelines": [{"id": "nobody-has-this", "enabled": True}]},
        {"pipelines": [{"id": "reads-qc", "version": "99.0.0", "enabled": True}]},
        {"studyForm": {"fields": [{"name": "x", "type": "no-such-type"}], "groups": []}},
        {"orderForm": {"fields": [], "groups": [], "enabledMixsChecklists": ["NO-SUCH"]}},
    ],
)
def test_a_profile_that_is_refused_half_way_leaves_nothing(
    seqfacility: Command, home: Path, tmp_path: Path, change: dict[str, object]
) -> None:
    file = tmp_path / "profile.json"
    file.write_text(json.dumps({**PROFILE, **change}))
    seqfacility("init", *ADMIN)
    before = stored(home)

    refused = seqfacility("init", "--profile", str(file))

    assert refused.returncode == 1
    assert refused.stderr.startswith("error: ")
    assert stored(home) == before


@pytest.mark.parametrize(
    ("arguments", "typed", "code"),
    [((), b"n\n", 1), ((), b"\n", 1), ((), b"y\n", 0), (("--yes",), b"", 0)],
)
def test_on_a_terminal_a_profile_is_applied_after_a_yes_only(
    home: Path, tmp_path: Path, arguments: tuple[str, ...], typed: bytes, code: int
) -> None:
    file = tmp_path / "profile.json"
    file.write_text(json.dumps(PROFILE))
    keyboard, terminal = os.openpty()
    os.write(keyboard, typed)

    done = subprocess.run(
        [sys.executable, "-m", "seqfacility_instance", "init", "--profile", str(file), *arguments],
        env=whole_environment({"SEQFACILITY_HOME": str(home), "SEQFACILITY_DATABASE_URL": ""}),
        stdin=terminal,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    os.close(keyboard)
    os.close(terminal)

    assert done.returncode == code, done.stderr
    assert ("Apply it? [y/N]" in done.stdout) == (not arguments)
    assert home.exists() == (code == 0)


def test_an_access_code_is_not_sent_in_the_open(seqfacility: Command, home: Path) -> None:
    words = ("init", "--profile", "http://registry.invalid/x/resolve", "--access-code-stdin")

    refused = seqfacility(*words, stdin="a code of the partners\n")
    tried = seqfacility(*words, "--insecure", stdin="a code of the partners\n")

    assert refused.stderr.startswith("error: The access code would go to registry.invalid unencrypted; ")
    assert tried.stderr == "error: The profile could not be read: the registry is not reachable\n"
    assert (refused.returncode, tried.returncode, home.exists()) == (1, 1, False)


def test_a_profile_that_cannot_be_read_is_one_line(seqfacility: Command, tmp_path: Path) -> None:
    missing = seqfacility("init", "--profile", str(tmp_path / "none.json"))
    unreachable = seqfacility("init", "--profile", "http://127.0.0.1:1/api/install-profiles/x/resolve")

    assert missing.stderr == "error: The profile could not be read: no such file, or not readable\n"
    assert unreachable.stderr == "error: The profile could not be read: the registry is not reachable\n"


def test_a_command_says_which_database_it_cannot_reach_and_why(seqfacility: Command, tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    seqfacility("init")
    there = {"SEQFACILITY_DATABASE_URL": f"postgresql://u:secret@/none?host={tmp_path}"}
    said = f"postgresql://u@/none?host={tmp_path}: connection"

    for command in ("init", "migrate", "sync-catalog"):
        refused = seqfacility(command, **there)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert refused.stderr.startswith(f"error: the database is not reachable: {said}")
    checked = seqfacility("check-setup", **there)
    assert checked.stdout.startswith(f"fail Database: {said}")


def test_a_wrong_variable_is_wrong_usage_and_an_unknown_one_is_told(seqfacility: Command) -> None:
    wrong = {"SEQFACILITY_DATABSE_URL": "postgresql:///a", "SEQFACILITY_TRUSTED_PROXIES": "localhost"}
    reason = "must be IP addresses with commas between them: 'localhost'"
    seqfacility("init")

    for command in ("init", "check-setup", "serve", "worker"):
        refused = seqfacility(command, **wrong)
        assert (refused.returncode, refused.stdout) == (2, "")
        warning, error = refused.stderr.splitlines()
        assert warning == "warning: SEQFACILITY_DATABSE_URL is not known; is SEQFACILITY_DATABASE_URL meant?"
        assert error.startswith(f"error: SEQFACILITY_TRUSTED_PROXIES: {reason}")
