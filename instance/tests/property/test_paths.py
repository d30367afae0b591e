"""Whatever a path says and wherever links point, nothing outside the root is read."""

import os
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from seqfacility_instance.core.data_folder import (
    NotRegularFile,
    PathRefused,
    check_relative_path,
    opened_file,
)

PARTS = st.sampled_from(["a", "b", "c", "..", ".", "", "data", "secret", ".x", "a\\b", "x" * 300])
PATHS = st.lists(PARTS, max_size=6).map("/".join)


@given(st.text() | PATHS)
def test_an_accepted_path_has_no_way_up_and_is_accepted_again_unchanged(path: str) -> None:
    try:
        accepted = check_relative_path(path)
    except PathRefused:
        return

    assert check_relative_path(accepted) == accepted
    assert os.path.normpath(accepted) == accepted
    assert os.path.normpath(f"/root/{accepted}").startswith("/root/")


@settings(max_examples=200)
@given(links=st.lists(st.tuples(st.sampled_from("abc"), PATHS), max_size=3), path=PATHS)
def test_links_never_lead_out_of_the_root(links: list[tuple[str, str]], path: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "data"
        root.mkdir()
        (root / "data").mkdir()
        (root / "data" / "secret").write_text("inside")
        (Path(folder) / "secret").write_text("outside")
        for name, target in links:
            if target and not (root / name).is_symlink():
                (root / name).symlink_to(target.replace("\\", "/"))

        try:
            with opened_file(root, path) as descriptor:
                read = os.pread(descriptor, 100, 0)
        except (PathRefused, FileNotFoundError, NotRegularFile):
            return

        assert read == b"inside"
