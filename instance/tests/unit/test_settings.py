"""What the environment of an instance may say."""

from pathlib import Path

import pytest
from seqfacility_instance.settings import VARIABLES, read_settings
from seqfacility_registry.settings import VARIABLES as OF_THE_REGISTRY
from seqfacility_wire import environment
from seqfacility_wire.environment import InvalidVariable


@pytest.mark.parametrize(
    ("address", "opened"),
    [
        ("sqlite:///srv/my%20data/a.db", Path("/srv/my data/a.db")),
        ("/srv/a.db", Path("/srv/a.db")),
        ("postgresql:///a?host=/run", "postgresql:///a?host=/run"),
        ("postgres://u@h/a", "postgres://u@h/a"),
        ("", Path("/h/seqfacility.db")),
    ],
)
def test_a_database_is_an_sqlite_file_or_a_postgresql_address(address: str, opened: str | Path) -> None:
    settings = read_settings({"SEQFACILITY_HOME": "/h", "SEQFACILITY_DATABASE_URL": address})

    assert settings.database_address == opened


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SEQFACILITY_DATABASE_URL", "mysql://u:p@h/a"),
        ("SEQFACILITY_DATABASE_URL", "sqlite://a.db"),
        ("SEQFACILITY_DATABASE_URL", "postgresql://u:a@p@h/a"),
        ("SEQFACILITY_PUBLIC_URL", "facility.example.org"),
        ("SEQFACILITY_TRUSTED_PROXIES", "localhost"),
        ("SEQFACILITY_DEMO", "yes"),
        ("SEQFACILITY_LOG_FORMAT", "yaml"),
        ("SEQFACILITY_LOG_LEVEL", "loud"),
        ("SERVICE_API_URL", "registry.example.org/api"),
    ],
)
def test_a_value_that_nothing_can_be_done_with_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(InvalidVariable) as refused:
        read_settings({name: value})

    assert str(refused.value).startswith(f"{name}: ")
    assert ":p@" not in str(refused.value)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://u:secret@h:5432/a", "postgresql://u@h:5432/a"),
        ("postgresql://h/a?password=secret&sslmode=require", "postgresql://h/a?sslmode=require"),
        ("postgresql://u:a/b@h/a", "postgresql://u@h/a"),
        ("postgresql:///a?host=/run", "postgresql:///a?host=/run"),
        ("", "/h/seqfacility.db"),
    ],
)
def test_messages_name_the_database_without_its_password(address: str, shown: str) -> None:
    settings = read_settings({"SEQFACILITY_HOME": "/h", "SEQFACILITY_DATABASE_URL": address})

    assert settings.shown_database == shown


def test_an_instance_knows_the_names_that_only_the_registry_reads() -> None:
    instance = {variable.name for variable in VARIABLES}

    ours = {name for name, *_ in OF_THE_REGISTRY if name.startswith("SEQFACILITY_")}
    assert set(environment.OF_THE_REGISTRY) == ours - instance


def test_the_registry_knows_the_names_that_begin_like_its_own_and_only_an_instance_reads() -> None:
    alike = {one.name for one in VARIABLES if one.name.startswith("SEQFACILITY_REGISTRY_")}

    assert set(environment.OF_AN_INSTANCE) == alike - {name for name, *_ in OF_THE_REGISTRY}
