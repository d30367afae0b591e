"""The commands on packages, their databases, and what they lack."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_testkit.database_packages import with_database
from seqfacility_testkit.git_repositories import Repository
from seqfacility_testkit.packages import sleeper

Command = Callable[..., Any]
CONTENT = b"GATTACA" * 1000
URL = "https://127.0.0.1:9/host.mmi"


@pytest.fixture
def initialised(seqfacility: Command) -> None:
    made = seqfacility("init", "--admin-email", "Admin@Facility.test")
    assert made.returncode == 0, made.stderr


@pytest.mark.usefixtures("initialised")
def test_a_database_is_brought_along_as_a_file_and_the_pipeline_is_ready(
    seqfacility: Command, tmp_path: Path
) -> None:
    package, brought = tmp_path / "sleeper.json", tmp_path / "brought.mmi"
    package.write_text(json.dumps(with_database(URL, CONTENT, is_required=True)))
    brought.write_bytes(CONTENT)
    installed = seqfacility("install-pipeline", "sleeper", "--file", str(package), "--enable")
    assert installed.returncode == 0, installed.stderr

    lacking = seqfacility("check-pipelines", "sleeper")
    listed = seqfacility("fetch-database")
    (line,) = [line for line in listed.stdout.splitlines() if "Host genome" in line]
    key = line.split()[0]
    fetched = seqfacility("fetch-database", key, "--from", str(brought))
    ready = seqfacility("check-pipelines", "sleeper")

    assert lacking.returncode == 1
    assert "fail sleeper: Host genome 1 is not there. Fetch it" in lacking.stdout
    assert line.split()[1] == "missing"
    assert fetched.returncode == 0, fetched.stderr
    assert Path(fetched.stdout.split()[-1]).read_bytes() == CONTENT
    assert ready.returncode == 0, ready.stdout
    assert "ok sleeper: Host genome 1 is there, verified by sha256." in ready.stdout
    assert "ok Pipeline sleeper: can be run.\n" in seqfacility("check-setup").stdout


@pytest.mark.usefixtures("initialised")
def test_a_database_that_cannot_be_had_is_told_in_one_line(seqfacility: Command, tmp_path: Path) -> None:
    package, wrong = tmp_path / "sleeper.json", tmp_path / "wrong.mmi"
    package.write_text(json.dumps(with_database(URL, CONTENT, is_required=True)))
    wrong.write_bytes(CONTENT[:-1] + b"T")
    seqfacility("install-pipeline", "sleeper", "--file", str(package), "--enable")
    listed = seqfacility("fetch-database").stdout.splitlines()
    (key,) = [line.split()[0] for line in listed if "Host genome" in line]

    not_listed = seqfacility("fetch-database", key)
    unreachable = seqfacility("fetch-database", key, "--from", URL)
    other = seqfacility("fetch-database", key, "--from", str(wrong))
    missing = seqfacility("fetch-database", key, "--from", str(tmp_path / "none"))
    unknown = seqfacility("fetch-database", "nothing")

    assert {unreachable.returncode, other.returncode, missing.returncode, unknown.returncode} == {1}
    assert not_listed.returncode == 1
    assert not_listed.stderr.endswith("SEQFACILITY_PRIVATE_HOSTS does not name it\n")
    assert unreachable.stderr == "error: The server cannot be reached\n"
    assert hashlib.sha256(CONTENT).hexdigest() in other.stderr
    assert missing.stderr == "error: the file cannot be read or written: No such file or directory\n"
    assert unknown.stderr == "error: Reference database not found\n"
    assert "warn Pipeline sleeper: Host genome 1 is not there." in seqfacility("check-setup").stdout


@pytest.mark.usefixtures("initialised")
def test_a_package_is_installed_from_a_repository(seqfacility: Command, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "forge")
    repository.write(sleeper())
    commit = repository.publish("v1.0.0")
    words = ("--repository", repository.url, "--ref", "v1.0.0")

    installed = seqfacility("install-pipeline", "sleeper", *words, "--enable")
    other = seqfacility("install-pipeline", "reads-qc", *words)

    assert installed.returncode == 0, installed.stderr
    assert f"commit: {commit}\nenabled: yes\n" in installed.stdout
    assert other.returncode == 1
    assert other.stderr.startswith("error: Package validation failed; manifest.json: package: is another one")
