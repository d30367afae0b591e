"""Downloads as real gunicorn sends them: by sendfile, from the start of a range, again and again."""

import random

import pytest
from seqfacility_testkit.live import LiveClient, LiveFacility

PATH = "/api/files/download"
CONTENT = random.Random(3).randbytes(3_000_001)  # noqa: S311  # bytes to compare, not a secret


@pytest.fixture(scope="module")
def admin(shared_live: LiveFacility) -> LiveClient:
    (shared_live.home / "data" / "a.txt").write_bytes(CONTENT)
    return shared_live.sign_in()


def test_a_file_and_its_parts_arrive_unchanged_on_one_connection(admin: LiveClient) -> None:
    whole = admin.get(PATH, params={"path": "a.txt"})
    spans = [(0, 1), (1, 65_537), (2_999_999, 3_000_001), (0, 3_000_001)]
    parts = [
        admin.get(PATH, params={"path": "a.txt"}, headers={"Range": f"bytes={start}-{end - 1}"})
        for start, end in spans
    ]
    head = admin.head(PATH, params={"path": "a.txt"})
    again = admin.get("/api/auth/session")

    assert (whole.status_code, whole.content) == (200, CONTENT)
    for (start, end), part in zip(spans, parts, strict=True):
        assert (part.status_code, part.content) == (206, CONTENT[start:end])
        assert part.headers["Content-Length"] == str(end - start)
    assert (head.status_code, head.headers["Content-Length"], head.content) == (200, "3000001", b"")
    assert again.json()["user"]["role"] == "FACILITY_ADMIN"


def test_a_download_that_breaks_off_is_resumed(admin: LiveClient) -> None:
    with admin.get(PATH, params={"path": "a.txt"}, stream=True) as begun:
        first = begun.raw.read(100_000)
        etag = begun.headers["ETag"]

    rest = admin.get(
        PATH, params={"path": "a.txt"}, headers={"Range": f"bytes={len(first)}-", "If-Range": etag}
    )

    assert rest.status_code == 206
    assert first + rest.content == CONTENT
