"""Names of documents, and what a resolved profile may add."""

from datetime import UTC, datetime, timedelta

import pytest
from seqfacility_instance.registry_trust.rules import (
    base_address,
    document_name,
    signature_state,
    with_secrets_of,
)

BASE = "https://registry.example/mirror/api"


@pytest.mark.parametrize(
    ("url", "base"),
    [
        (f"{BASE}/registry", BASE),
        ("http://127.0.0.1:8090/api/registry/sequencing-tech", "http://127.0.0.1:8090/api"),
        ("https://other.example/a/api/b/api/registry/mixs", "https://other.example/a/api/b/api"),
        ("https://other.example/catalog.json", None),
    ],
)
def test_a_registry_ends_in_api_unless_it_is_the_configured_one(url: str, base: str | None) -> None:
    assert base_address(url, BASE) == base
    assert base_address("https://r.example/x/y", "https://r.example/x") == "https://r.example/x"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        (f"{BASE}/registry", "registry"),
        (f"{BASE}/registry/pipelines/mag/5.5.0/download", "registry/pipelines/mag/5.5.0/download"),
        ("https://registry.example/images/catalog/device.svg", "images/catalog/device.svg"),
        ("https://elsewhere.example/images/catalog/device.svg", None),
        ("http://registry.example/images/catalog/device.svg", None),
        ("https://registry.example/images/catalog/device.svg?size=1", None),
        ("https://registry.example/other/device.svg", None),
        (f"{BASE}/registry?x=1", None),
        (f"{BASE}/", None),
        (f"{BASE}/../secret", None),
        (f"{BASE}/registry/%2e%2e/secret", None),
        (f"{BASE}/registry%0a", None),
        (BASE, None),
    ],
)
def test_a_document_is_named_by_its_path_below_the_registry(url: str, name: str | None) -> None:
    assert document_name(url, BASE) == name


SIGNED = {"id": "a", "requiredSecrets": [{"name": "s", "path": "settings.execution.secret"}], "settings": {}}


def test_declared_secrets_are_put_where_they_are_declared() -> None:
    resolved = {**SIGNED, "settings": {"execution": {"secret": "x"}}}

    assert with_secrets_of(SIGNED, resolved) == resolved


@pytest.mark.parametrize(
    "resolved",
    [
        {**SIGNED, "settings": {"execution": {"secret": "x", "command": "y"}}},
        {**SIGNED, "settings": {"execution": {"secret": "x"}, "access": {}}},
        {**SIGNED, "requiredSecrets": []},
        {**SIGNED, "settings": "x"},
        {**SIGNED, "id": "b"},
    ],
)
def test_whatever_else_differs_is_no_secret(resolved: dict[str, object]) -> None:
    assert with_secrets_of(SIGNED, resolved) != resolved


@pytest.mark.parametrize(
    ("role", "days"), [("root", 30), ("targets", 14), ("snapshot", 14), ("lab", 14), ("timestamp", 2)]
)
def test_the_end_of_a_role_is_near_as_long_before_as_its_holders_need(role: str, days: int) -> None:
    now, second = datetime(2031, 5, 4, tzinfo=UTC), timedelta(seconds=1)
    ends = [now, now + second, now + timedelta(days=days), now + timedelta(days=days) + second]

    states = [signature_state(role, end, now) for end in ends]

    assert states == ["expired", "ending", "ending", "valid"]
