"""What follows from the declaration of a reference database."""

from dataclasses import replace

import pytest
from seqfacility_pipeline_package.databases import database_key, is_unpacked
from seqfacility_pipeline_package.descriptor import Database

HOST = Database("host", "Host", "1", "host.tar.gz", "https://example.org/host.tar.gz", "db", "ensure")


def test_packages_share_a_database_whatever_they_say_of_its_digest_and_name() -> None:
    same = replace(HOST, label="Our host", config_key="host_db", sha256="ab" * 32, size=7)

    assert database_key(same) == database_key(HOST)


@pytest.mark.parametrize(
    "change",
    [{"version": "2"}, {"file_name": "x.tgz"}, {"download_url": "https://b.example/x"}, {"unpack": False}],
)
def test_other_content_is_another_database(change: dict[str, object]) -> None:
    assert database_key(replace(HOST, **change)) != database_key(HOST)  # type: ignore[arg-type]  # a test's table


def test_a_key_is_a_plain_name_of_bounded_length() -> None:
    key = database_key(replace(HOST, id="d" * 64))

    assert len(key) <= 64
    assert key.replace("-", "").isalnum()


@pytest.mark.parametrize(
    ("name", "unpack", "expected"),
    [
        ("host.tar.gz", None, True),
        ("HOST.ZIP", None, True),
        ("host.fasta.gz", None, False),
        ("host.mmi", None, False),
        ("host.tar.gz", False, False),
    ],
)
def test_archives_are_unpacked_unless_the_package_says_no(
    name: str, unpack: bool | None, expected: bool
) -> None:
    assert is_unpacked(replace(HOST, file_name=name, unpack=unpack)) is expected
