"""Whatever stands in the folder, the service starts, and every answer is a document or a plain refusal."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from falcon.testing import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from seqfacility_registry.app import make_app
from seqfacility_registry.check import content_problems
from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.settings import Settings

PATHS = (
    "/api/registry",
    "/api/registry/read-counter",
    "/api/registry/private-counter",
    "/api/registry/pipelines/read-counter/1.9.0/download",
    "/api/registry/pipelines/read-counter/1.10.0/download",
    "/api/registry/mixs",
    "/api/registry/mixs?accession=ERC000022",
    "/api/registry/sequencing-tech",
    "/api/version",
    "/api/version?channel=beta&current=1.0.0",
    "/api/research-data",
    "/api/research-data?latest=1&flagship=1",
    "/api/install-profiles",
    "/api/install-profiles/open",
    "/api/install-profiles/open/resolve",
    "/images/catalog/x.svg",
)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory, write_content: Callable[[Path], Path]) -> Path:
    """Write a sound content that the tests copy."""
    return write_content(tmp_path_factory.mktemp("sound") / "content")


def _files(content: Path) -> list[Path]:
    return sorted(path.relative_to(content) for path in content.rglob("*") if path.is_file())


def _damaged(sound: Path, home: Path, place: Path, damage: bytes | None) -> Path:
    """Copy the content and put `damage` in one file's place; None puts a folder there."""
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(sound, home)
    (home / place).unlink()
    if damage is None:
        (home / place).mkdir()
    else:
        (home / place).write_bytes(damage)
    return home


def _outcomes(content: Path) -> dict[str, int]:
    client = TestClient(make_app(Settings(content=content), ContentFolder(content)))
    answers = {path: client.simulate_get(path) for path in PATHS}
    for answer in answers.values():
        if answer.status_code >= 400:
            assert set(answer.json) == {"error"}
    return {path: answer.status_code for path, answer in answers.items()}


def test_damage_to_any_file_spoils_little_and_stops_nothing(sound: Path, tmp_path: Path) -> None:
    healthy = _outcomes(sound)
    assert set(healthy.values()) == {200}

    for place in _files(sound):
        for damage in (None, b"\xff\xfe", b"[]", b'{"id": {}, "profile": []}'):
            outcomes = _outcomes(_damaged(sound, tmp_path / "content", place, damage))

            spoilt = [path for path, status in outcomes.items() if status != 200]
            assert set(outcomes.values()) <= {200, 404, 500, 503}
            assert len(spoilt) <= 4, (place, damage, spoilt)


def test_a_lock_whose_digest_is_no_text_stops_nothing(sound: Path, tmp_path: Path) -> None:
    lock = {"lockVersion": 1, "packages": {"read-counter": {"1.9.0": {"sha256": None, "size": 1}}}}
    damaged = json.dumps(lock).encode()

    content = _damaged(sound, tmp_path / "content", Path("pipelines/published.lock.json"), damaged)

    assert set(_outcomes(content).values()) <= {200, 500}
    assert any("published.lock.json" in line for line in content_problems(content))


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


@settings(max_examples=60)
@given(data=st.data(), value=_VALUES)
def test_a_value_of_any_kind_at_any_place_stops_neither_service_nor_check(
    sound: Path, spare: Path, data: st.DataObject, value: Any
) -> None:
    place = data.draw(st.sampled_from([path for path in _files(sound) if path.suffix == ".json"]))
    document = json.loads((sound / place).read_text())
    spot, key = document, data.draw(st.sampled_from(_keys(document)))
    while isinstance(spot[key], dict | list) and spot[key] and data.draw(st.booleans()):
        spot, key = spot[key], data.draw(st.sampled_from(_keys(spot[key])))
    spot[key] = value

    content = _damaged(sound, spare / "content", place, json.dumps(document).encode())

    assert set(_outcomes(content).values()) <= {200, 404, 500, 503}
    assert isinstance(content_problems(content), list)


@pytest.fixture(scope="module")
def spare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that each example may use anew."""
    return tmp_path_factory.mktemp("spare")


def _keys(value: Any) -> list[Any]:
    return list(value) if isinstance(value, dict) else list(range(len(value)))
