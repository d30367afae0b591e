"""`seqfacility-client` with API tokens instead of a password."""

import re
from pathlib import Path
from typing import Any

import pytest
from seqfacility_client.cli import main
from seqfacility_testkit.facility import RESEARCHER


def machine_token(workplace: Any, *scopes: str, addresses: tuple[str, ...] = ("127.0.0.0/8",)) -> str:
    body = {"name": "NovaSeq X", "addresses": addresses, "scopes": scopes, "expiresInDays": 365}
    text: str = workplace.admin.post("/api/admin/machines", json=body).json()["token"]
    return text


def token_file(folder: Path, text: str, mode: int = 0o600) -> Path:
    file = folder / "seqfacility.token"
    file.write_text(text + "\n")
    file.chmod(mode)
    return file


def test_a_machine_sends_reads_with_a_token_in_a_file_and_the_audit_names_it(
    workplace: Any, tmp_path: Path
) -> None:
    content = workplace.file("soil_R1.fastq.gz", 200_000)
    file = token_file(tmp_path, machine_token(workplace, "uploads:write", "orders:read"))
    number = workplace.admin.get(f"/api/orders/{workplace.order_id}").json()["order"]["orderNumber"]

    ended = workplace.run("upload", "--checksum", workplace.folder, token=file, order=number)

    assert (ended[0], ended[2]) == (0, "")
    (read,) = workplace.reads("soil")
    assert (workplace.data / read["file1"]).read_bytes() == content
    events = workplace.admin.get("/api/admin/audit", params={"action": "upload-completed"}).json()["events"]
    assert {event["actor"]["lastName"] for event in events} == {"NovaSeq X"}


def test_a_researcher_fetches_a_delivery_with_a_token_of_the_environment(
    workplace: Any, tmp_path: Path
) -> None:
    workplace.link("soil", "soil_R1.fastq.gz", b"reads")
    workplace.publish()
    body = {"name": "cluster", "scopes": ["delivery:read"], "expiresInDays": 7}
    text = workplace.live.sign_in(RESEARCHER).post("/api/user/tokens", json=body).json()["token"]

    ended = workplace.run("download", tmp_path / "delivery", token=text)

    assert (ended[0], ended[2]) == (0, "")
    assert [file.read_bytes() for file in (tmp_path / "delivery").rglob("soil*_R1.fastq.gz")] == [b"reads"]


def test_what_a_token_does_not_allow_is_said_at_once(workplace: Any) -> None:
    workplace.file("soil_R1.fastq.gz", 1000)
    cases = {
        machine_token(workplace, "orders:read"): "Token does not allow this: look at the scopes",
        machine_token(
            workplace, "uploads:write", addresses=("192.0.2.0/24",)
        ): "Token is not allowed from this",
        "sqf_p" + "0" * 49: "Unauthorized: the token is unknown, expired or revoked",
        "two words": "SEQFACILITY_TOKEN holds no token",
    }

    for text, words in cases.items():
        code, _said, complaint = workplace.run("upload", workplace.folder, token=text)
        assert (code, complaint.count("\n")) == (1, 1)
        assert complaint.startswith(f"error: {words}")
        assert text not in complaint


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660])
def test_a_token_file_that_others_can_read_is_refused(
    mode: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = token_file(tmp_path, "sqf_p", mode)
    words = ("--url", "http://127.0.0.1:9", "--order", "o", "--token-file", str(file), "place")

    assert main(["download", *words]) == 1
    assert capsys.readouterr().err == f"error: others can read {file}; run chmod 600 {file}\n"


@pytest.mark.parametrize(
    ("content", "complaint"), [("", "holds no token"), ("a b", "holds no token"), (None, "cannot be read")]
)
def test_a_token_file_without_a_token_is_refused(
    content: str | None, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "none" if content is None else token_file(tmp_path, content)
    words = ("--url", "http://127.0.0.1:9", "--order", "o", "--token-file", str(file), "place")

    assert main(["download", *words]) == 1
    assert re.match(f"error: .*{complaint}", capsys.readouterr().err)


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--email", "a@b.test"),
        ("--password-stdin",),
        ("--password-stdin", "--email", "a@b.test", "--token-file", "t"),
    ],
)
def test_neither_token_nor_password_or_both_is_wrong_usage(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SEQFACILITY_TOKEN", "SEQFACILITY_EMAIL"):
        monkeypatch.delenv(name, raising=False)

    with pytest.raises(SystemExit) as ended:
        main(["upload", "--url", "http://127.0.0.1:9", "--order", "o", *words, "place"])

    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: seqfacility")
