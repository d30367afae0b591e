"""Paths that mean harm: none leaves the base path, none answers 5xx, none tells a stranger what exists."""

from urllib.parse import quote

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import submitted_order, upload

SECRET = b"outside of the base path"
NAMES = ["secret.txt", "home/secret.txt", "seqfacility.db.txt"]
CLIMBS = ["../", "../../", "a/../../", "./../", "//../", "..//", "a/b/../../../", "orders/../../"]
RAW = [
    *(climb + name for climb in CLIMBS for name in NAMES),
    *(
        "/etc/passwd",
        "/etc/passwd.txt",
        "//etc/passwd.txt",
        "/proc/self/environ.txt",
        "file:///etc/passwd.txt",
    ),
    *("..", ".", "/", "//", "./", "...", "....//secret.txt", "~/secret.txt", "$HOME/secret.txt", "C:\\x.txt"),
    *("..\\secret.txt", "a\\..\\secret.txt", "a\0.txt", "\0", "a.txt\0.fastq", "a\n.txt", "\r\nX: y.txt"),
    *(".hidden.txt", "orders/.tmp/x/a.fastq", "a/.git/config.txt", "x" * 300 + ".txt", "a/" * 2000 + "a.txt"),
    *("secret.txt ", " secret.txt", "SECRET.TXT", "secret.txt.", "secret.txt/", "secret.txt/x.txt"),
    *(
        "e\u0301.txt",
        "\u202etxt.exe",
        "\ufffd.txt",
        "\uff052e\uff052e/secret.txt",
        "%2e%2e/secret.txt",
        "..%2fsecret.txt",
    ),
    *("out.txt", "out/secret.txt", "loop.txt", "folder.txt", "out.txt/../secret.txt", "*.txt", "{a,b}.txt"),
]
QUERIES = [quote(path, safe="") for path in RAW] + [
    *("..%2f..%2fsecret.txt", "%2e%2e%2fsecret.txt", "%252e%252e%252fsecret.txt", "..%c0%afsecret.txt"),
    *(
        "%ff%fe.txt",
        "a%00.txt",
        "..%5csecret.txt",
        "+../secret.txt",
        "%2fetc%2fpasswd.txt",
        "a.txt&path=../b.txt",
    ),
]


@pytest.fixture
def trapped(facility: Facility) -> Facility:
    """Give an instance with links that lead out, to themselves, and to a folder."""
    (facility.home / "secret.txt").write_bytes(SECRET)
    (facility.data / "out.txt").symlink_to("../secret.txt")
    (facility.data / "out").symlink_to("..")
    (facility.data / "loop.txt").symlink_to("loop.txt")
    (facility.data / "folder.txt").mkdir()
    return facility


def test_no_query_reaches_beyond_the_base_path(trapped: Facility) -> None:
    for query in QUERIES:
        for endpoint in ("download", "preview"):
            for client in (trapped.admin, trapped.researcher):
                got = client.get(f"/api/files/{endpoint}", query_string=f"path={query}")
                assert got.status_code in {400, 403, 404}, (endpoint, query, got.status_code)
                assert set(got.json) == {"error"}
                assert SECRET not in got.content


@pytest.mark.parametrize("endpoint", ["checksum", "delete"])
def test_no_listed_path_reaches_beyond_the_base_path(trapped: Facility, endpoint: str) -> None:
    kept = sorted(path.name for path in trapped.home.iterdir())
    for start in range(0, len(RAW), 50):
        listed = RAW[start : start + 50]

        answer = trapped.admin.post(f"/api/files/{endpoint}", {"filePaths": listed})

        assert answer.status_code == 200
        failed = answer.json["errors"] if endpoint == "delete" else answer.json["results"]
        assert len([entry for entry in failed if entry["error"]]) == len(listed)
    assert sorted(path.name for path in trapped.home.iterdir()) == kept
    assert (trapped.home / "secret.txt").read_bytes() == SECRET


def test_a_stranger_gets_one_answer_for_what_exists_and_what_does_not(facility: Facility) -> None:
    order = submitted_order(facility)
    there = upload(facility, order, metadata={"dataClass": "cleaned"})
    not_there = there.replace("soil", "sand")

    for endpoint in ("download", "preview"):
        for path in (there, not_there):
            for name in (path, f"{path.removesuffix('.fastq')}.txt"):
                got = facility.other_researcher.get(f"/api/files/{endpoint}", params={"path": name})
                other = facility.other_researcher.get(
                    f"/api/files/{endpoint}", params={"path": name.replace("soil", "sand")}
                )
                assert (got.status_code, got.json) == (other.status_code, other.json)
