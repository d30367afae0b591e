"""What the set-up status says in each phase of an installation."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from seqfacility_instance import migrations
from seqfacility_instance.accounts.errors import PasswordRefused
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.site.installation import FirstAdmin
from seqfacility_testkit.facility import ADMIN, RESEARCHER, Facility

from .conftest import Open  # isort: skip

ADMIN_WITHOUT_PASSWORD = FirstAdmin("first@facility.test", "First", "Admin", None)


def status_of(client: Any) -> dict[str, Any]:
    answer = client.simulate_get("/api/setup/status")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    document: dict[str, Any] = answer.json
    return document


def step_words(status: dict[str, Any]) -> list[str]:
    return [step["status"] for step in status["steps"]]


def test_before_init_the_schema_is_missing_and_looking_makes_nothing(open_bare: Open, home: Path) -> None:
    _services, client = open_bare()

    status = status_of(client)

    assert (status["exists"], status["configured"], status["phase"]) == (False, False, "schema-missing")
    assert step_words(status) == ["complete", "active", "pending", "pending"]
    assert status["steps"][1]["command"] == status["nextAction"]["command"] == "seqfacility init"
    assert status["database"] == {
        "engine": "sqlite", "hosting": "local", "reachable": True, "pendingMigrations": 0,
    }  # fmt: skip
    assert "bootstrapAccounts" not in status
    assert "error" not in status
    assert not home.exists()


def test_a_database_that_does_not_answer_is_unreachable(open_bare: Open, tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    _services, client = open_bare(SEQFACILITY_DATABASE_URL=f"postgresql:///none?host={tmp_path}")

    status = status_of(client)

    assert status["phase"] == "database-unreachable"
    assert status["database"] == {
        "engine": "postgresql", "hosting": "local", "reachable": False, "pendingMigrations": 0,
    }  # fmt: skip
    assert step_words(status) == ["error", "pending", "pending", "pending"]
    assert status["nextAction"] is None
    assert status["error"] == "The database does not answer."


def test_a_file_that_is_no_database_is_an_unknown_error(open_bare: Open, home: Path) -> None:
    home.mkdir()
    (home / "seqfacility.db").write_bytes(b"this is no database, but a text " * 100)
    _services, client = open_bare()

    status = status_of(client)

    assert (status["phase"], status["database"]["reachable"]) == ("unknown-error", True)
    assert "error" in status
    assert str(home) not in str(status)


def test_a_schema_of_an_older_release_wants_a_migration(
    open_bare: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    services, client = open_bare()
    services.installation.make(ADMIN_WITHOUT_PASSWORD)
    scripts = tmp_path / "scripts"
    shutil.copytree(migrations._FOLDER, scripts)
    (scripts / "9998_later.py").write_text("def up(migrator, db):\n    pass\n")
    monkeypatch.setattr(migrations, "_FOLDER", scripts)

    status = status_of(client)

    assert (status["exists"], status["configured"], status["phase"]) == (True, True, "schema-outdated")
    assert status["database"]["pendingMigrations"] == 1
    assert status["nextAction"]["command"] == "seqfacility migrate"
    refused = client.simulate_get("/api/site")
    assert (refused.status_code, refused.json) == (503, {"error": "Service is not set up"})
    health = client.simulate_get("/api/health")
    assert (health.status_code, health.json) == (503, {"error": "Service is not set up"})
    assert client.simulate_get("/api/version").status_code == 200


def test_tables_without_settings_are_a_missing_seed(open_bare: Open) -> None:
    services, client = open_bare()
    services.installation.make_folders()
    migrations.apply(services.database)

    status = status_of(client)

    assert (status["exists"], status["configured"], status["phase"]) == (True, False, "seed-missing")
    assert step_words(status) == ["complete", "complete", "active", "pending"]


def test_without_an_account_the_first_admin_is_missing(open_bare: Open) -> None:
    services, client = open_bare()
    services.installation.make(None)

    status = status_of(client)

    assert (status["configured"], status["phase"]) == (True, "admin-missing")
    assert step_words(status) == ["complete", "complete", "complete", "active"]
    assert status["bootstrapAccounts"] == {
        "admin": {"kind": "FACILITY_ADMIN", "outcome": "skipped"},
        "researcher": {"kind": "RESEARCHER", "outcome": "skipped"},
    }


def test_an_account_that_could_not_be_made_is_a_failed_seed(open_bare: Open) -> None:
    services, client = open_bare()
    with pytest.raises(PasswordRefused):
        services.installation.make(FirstAdmin("first@facility.test", "First", "Admin", "short"))

    status = status_of(client)

    assert status["phase"] == "seed-failed"
    assert status["bootstrapAccounts"]["admin"]["outcome"] == "failed"
    assert status["error"] == "The first account could not be made."


def test_a_generated_password_is_told_until_it_is_changed(open_bare: Open) -> None:
    services, client = open_bare()
    services.installation.make(ADMIN_WITHOUT_PASSWORD)

    status = status_of(client)

    assert status["phase"] == "ready"
    assert status["install"] == {
        "mode": "self-hosted", "profile": None, "usesDefaultBootstrapCredentials": True,
    }  # fmt: skip


def test_a_ready_installation_points_to_the_sign_in_page(facility: Facility) -> None:
    status = status_of(facility.http)

    assert status["phase"] == "ready"
    assert step_words(status) == ["complete"] * 4
    assert status["nextAction"]["href"] == "/sign-in"
    assert status["install"]["usesDefaultBootstrapCredentials"] is False
    assert status["bootstrapAccounts"]["admin"] == {"kind": "FACILITY_ADMIN", "outcome": "created"}


def test_the_status_names_no_account_path_or_host(facility: Facility) -> None:
    text = facility.anonymous.get("/api/setup/status").text

    for secret in (ADMIN, RESEARCHER, str(facility.home), "seqfacility.db", "127.0.0.1"):
        assert secret not in text


def test_an_installation_whose_only_admin_is_deactivated_misses_one(facility: Facility) -> None:
    from seqfacility_instance.tables.people import User

    User.update(is_active=False).where(User.role == Role.FACILITY_ADMIN).execute()

    assert status_of(facility.http)["phase"] == "admin-missing"


def test_an_applied_profile_is_named(facility: Facility) -> None:
    profile = {
        "schemaVersion": 1, "id": "teaching", "name": "Teaching", "version": "1.0.0", "capabilities": [],
        "minServiceVersion": "0.0.1", "requiredSecrets": [], "settings": {"access": {"siteName": "Course"}},
    }  # fmt: skip
    facility.services.install_profiles.apply(profile)

    status = status_of(facility.http)

    named = status["install"]["profile"]
    assert named == {
        "id": "teaching", "name": "Teaching", "version": "1.0.0", "appliedAt": named["appliedAt"],
    }  # fmt: skip
    assert facility.anonymous.get("/api/site").json["siteName"] == "Course"
