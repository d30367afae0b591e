"""A release that was built enters the feed."""

import hashlib
import json
from pathlib import Path

import pytest
from seqfacility_registry_tools.releases import ReleaseRefused, add_release


def test_a_release_is_added_with_the_digest_of_its_archive_in_its_place(tmp_path: Path) -> None:
    channel, archive = tmp_path / "stable.json", tmp_path / "a.tar.gz"
    channel.write_text(json.dumps({"channel": "stable", "releases": []}))
    archive.write_bytes(b"wheels")

    for version in ("1.1.9", "1.1.10", "1.1.2"):
        url = f"https://releases.internal/{version}.tar.gz"
        assert add_release(tmp_path, version, archive, url, "More.", "2031-05-04") == "stable"

    written = json.loads(channel.read_text())["releases"]
    assert [one["version"] for one in written] == ["1.1.10", "1.1.9", "1.1.2"]
    assert written[0]["checksum"] == f"sha256:{hashlib.sha256(b'wheels').hexdigest()}"
    before = channel.read_bytes()
    with pytest.raises(ReleaseRefused, match=r"releases\.1\.1\.9: not older than 1\.1\.9"):
        add_release(tmp_path, "1.1.9", archive, "https://releases.internal/1.1.9", "Again.", "2031-05-04")
    assert channel.read_bytes() == before
