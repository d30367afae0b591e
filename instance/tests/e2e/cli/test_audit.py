"""`seqfacility audit`: a trail that is whole, broken, cut off and written out."""

import csv
import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

Command = Callable[..., Any]
TRIGGERS = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit_events'"


def forge(home: Path, statement: str) -> None:
    database = sqlite3.connect(home / "seqfacility.db")
    for (name,) in database.execute(TRIGGERS).fetchall():
        database.execute(f"DROP TRIGGER {name}")
    database.execute(statement)
    database.commit()
    database.close()


def test_the_trail_is_verified_written_out_and_found_broken(
    seqfacility: Command, home: Path, tmp_path: Path
) -> None:
    for action in (
        ("init", "--admin-email", "admin@facility.test", "--admin-password-stdin"),
        ("users", "create", "--email", "ada@lab.test", "--role", "RESEARCHER", "--first-name", "=1+1",
         "--last-name", "Lake", "--password-stdin"),
        ("users", "deactivate", "ada@lab.test"),
    ):  # fmt: skip
        assert seqfacility(*action, stdin="correct horse battery\n").returncode == 0
    assert seqfacility("backup", str(tmp_path / "backup")).returncode == 0

    whole = seqfacility("audit", "verify", "--head", str(tmp_path / "backup" / "backup.json"))
    lines = seqfacility("audit", "export", "--format", "jsonl").stdout.splitlines()
    table = list(csv.reader(io.StringIO(seqfacility("audit", "export", "--format", "csv").stdout[1:])))
    nothing = seqfacility("audit", "export", "--format", "jsonl", "--to", "2001-01-01")
    checked = seqfacility("check-setup", "--only", "Audit")

    rows = [json.loads(line) for line in lines]
    assert whole.returncode == 0, whole.stderr
    assert f"intact: {len(rows)} rows\nhead: {len(rows)} {rows[-1]['hash']}\n" in whole.stdout
    assert "erased: 0 addresses and words, 0 noted as personal-words-erased\n" in whole.stdout
    assert [row["sequence"] for row in rows] == [*range(1, len(rows) + 1)]
    assert table[0] == [*rows[0]]
    assert [row[-1] for row in table[1:]] == [row["hash"] for row in rows]
    assert nothing.stdout == ""
    assert checked.stdout.startswith("ok Audit trail: ")

    elsewhere = {"SEQFACILITY_HOME": str(tmp_path / "restored")}
    assert seqfacility("restore", str(tmp_path / "backup"), **elsewhere).returncode == 0
    restored = seqfacility("audit", "verify", "--head", str(tmp_path / "backup" / "backup.json"), **elsewhere)
    assert (restored.returncode, restored.stdout) == (0, whole.stdout)

    cut = f"DELETE FROM audit_events WHERE sequence = {len(rows)}"  # noqa: S608  # a number
    forge(home, cut)
    unnoticed = seqfacility("audit", "verify")
    found = seqfacility("audit", "verify", "--head", str(tmp_path / "backup" / "backup.json"))
    forge(home, "UPDATE audit_events SET action = 'sign-out' WHERE sequence = 2")
    broken = seqfacility("audit", "verify")

    assert unnoticed.returncode == 0
    assert (found.returncode, found.stdout.startswith("broken: rows are missing")) == (1, True)
    assert (broken.returncode, broken.stdout) == (
        1, f"broken: {rows[1]['id']}: its content was changed\n",
    )  # fmt: skip
    assert seqfacility("check-setup", "--only", "Audit").stdout.startswith("fail Audit trail: ")


def test_a_file_without_heads_is_refused(seqfacility: Command, home: Path, tmp_path: Path) -> None:
    seqfacility(
        "init", "--admin-email", "a@b.test", "--admin-password-stdin", stdin="correct horse battery\n"
    )
    (tmp_path / "rubbish").write_bytes(b"\xff\0{}\n[]\n" * 10)

    for file in ("rubbish", "nowhere"):
        refused = seqfacility("audit", "verify", "--head", str(tmp_path / file))
        assert refused.returncode == 1
        assert "cannot be used" in refused.stderr
