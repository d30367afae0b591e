"""What holds for every payload: it comes back as it was, and it never leaves its folder."""

import copy
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seqfacility_pipeline_package.payload import check_payload, pack, payload_digest, unpack
from seqfacility_pipeline_package.problems import PackageInvalid

FILE_NAMES = st.from_regex(
    r"[A-Za-z0-9_][A-Za-z0-9._-]{0,20}(/[A-Za-z0-9_][A-Za-z0-9._-]{0,8}){0,2}", fullmatch=True
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
HOSTILE_NAMES = st.text(st.sampled_from(list("ab./\\-_ \n\0~é")), max_size=14)


@pytest.fixture
def base(package_folder: Path) -> dict[str, Any]:
    return pack(package_folder)


def with_files(base: dict[str, Any], files: dict[str, str]) -> dict[str, Any]:
    payload = copy.deepcopy(base)
    payload["workflow"].update(files)
    return {**payload, "sha256": payload_digest(payload)}


@settings(max_examples=60)
@given(files=st.dictionaries(FILE_NAMES, TEXTS, max_size=5))
def test_a_payload_that_is_accepted_comes_back_as_it_was(base: dict[str, Any], files: dict[str, str]) -> None:
    payload = with_files(base, {f"workflow/{name}": text for name, text in files.items()})
    with tempfile.TemporaryDirectory() as home:
        target = Path(home) / "trim-reads"
        if check_payload(payload):
            return
        unpack(payload, target)

        assert pack(target) == payload


@settings(max_examples=150)
@given(name=HOSTILE_NAMES, prefix=st.sampled_from(["", "workflow/", "scripts/", "../", "/srv/"]))
def test_no_name_makes_a_file_outside_the_package_folder(
    base: dict[str, Any], name: str, prefix: str
) -> None:
    payload = with_files(base, {prefix + name: "x"})
    with tempfile.TemporaryDirectory() as outer:
        target = Path(outer) / "home" / "trim-reads"
        target.parent.mkdir()
        try:
            unpack(payload, target)
        except PackageInvalid:
            assert list(target.parent.iterdir()) == []

        assert [path.name for path in Path(outer).iterdir()] == ["home"]
        assert all(path.name == "trim-reads" for path in target.parent.iterdir())
