"""`seqfacility-client upload` against a real service: what arrives, and what stops it not."""

import hashlib
import itertools
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from seqfacility_client.cli import main
from seqfacility_testkit.cutting_proxy import cutting_proxy
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.waiting import wait_until

KIB = 1024
MIB = 1024 * KIB


def arrived(workplace: Any, alias: str, mate: int) -> bytes:
    """Read what lies at the facility as the one active read of a sample."""
    active = [read for read in workplace.reads(alias) if read["isActive"]]
    assert len(active) == 1
    content: bytes = (workplace.data / active[0][f"file{mate}"]).read_bytes()
    return content


def test_a_folder_of_pairs_arrives_byte_for_byte_and_is_not_sent_twice(
    workplace: Any, tmp_path: Path
) -> None:
    code = workplace.samples["lake"]["sampleId"]
    contents = {
        ("soil", 1): workplace.file("soil_S1_L001_R1_001.fastq.gz", 300 * KIB),
        ("soil", 2): workplace.file("soil_S1_L001_R2_001.fastq.gz", 200 * KIB + 1),
        ("lake", 1): workplace.file(f"deeper/{code}_1.fq", 1),
        ("lake", 2): workplace.file(f"deeper/{code}_2.fq", 2),
        ("river", 1): workplace.file("RIVER.fastq", 70 * KIB),
    }
    workplace.file("Undetermined_S0_L001_R1_001.fastq.gz", 10)
    workplace.file("SampleSheet.csv", 10)
    result = tmp_path / "result.json"
    workplace.small_chunks()

    first = workplace.run("upload", "--checksum", "--result", result, workplace.folder)
    told = workplace.result(result)
    second = workplace.run("upload", "--checksum", workplace.folder)

    assert (first[0], first[2]) == (0, "")
    for (alias, mate), content in contents.items():
        assert arrived(workplace, alias, mate) == content
    assert told["complete"] is True
    assert sorted(file["status"] for file in told["files"]) == ["left-out", *["sent"] * 5]
    for file in told["files"]:
        if file["status"] == "sent":
            content = Path(file["path"]).read_bytes()
            assert (workplace.data / file["finalPath"]).read_bytes() == content
            assert (file["size"], file["md5"]) == (
                len(content),
                hashlib.md5(content, usedforsecurity=False).hexdigest(),
            )
    assert second[0] == 0
    assert second[1].count("already-there: ") == 5
    assert len(workplace.sessions()) == 5


def test_one_file_goes_where_the_options_say(workplace: Any) -> None:
    content = workplace.file("anything_R1.fastq", 1000)
    sample = workplace.samples["lake"]

    code, said, _ = workplace.run(
        *("upload", "--sample", sample["id"], "--role", "R2", "--data-class", "cleaned"),
        workplace.folder / "anything_R1.fastq",
    )

    assert code == 0
    assert said.startswith("sent: ")
    assert arrived(workplace, "lake", 2) == content
    assert workplace.reads("lake")[0]["dataClass"] == "cleaned"


def test_a_killed_client_goes_on_where_it_was(workplace: Any) -> None:
    content = workplace.file("soil_R1.fastq", 12 * MIB)
    workplace.small_chunks()

    client = workplace.start("upload", workplace.folder)
    wait_until(
        lambda: bool(workplace.sessions()) and workplace.sessions()[0]["receivedSize"] > MIB, "it runs"
    )
    client.process.kill()
    client.process.wait()
    code, said, complaint = workplace.run("upload", workplace.folder)

    assert (code, complaint) == (0, "")
    assert "resuming: " in said
    assert arrived(workplace, "soil", 1) == content
    assert len(workplace.sessions()) == 1


def test_workers_that_die_do_not_stop_an_upload(workplace: Any) -> None:
    content = workplace.file("soil_R1.fastq", 12 * MIB)
    workplace.small_chunks()

    client = workplace.start("upload", workplace.folder)
    wait_until(
        lambda: bool(workplace.sessions()) and workplace.sessions()[0]["receivedSize"] > MIB, "it runs"
    )
    for worker in workplace.live.server.children():
        os.kill(worker, signal.SIGKILL)
    code, _, complaint = client.ended()

    assert (code, complaint) == (0, "")
    assert arrived(workplace, "soil", 1) == content
    assert len(workplace.sessions()) == 1


def test_a_line_that_breaks_again_and_again_only_costs_time(workplace: Any) -> None:
    contents = {
        1: workplace.file("soil_R1.fastq.gz", 3 * MIB),
        2: workplace.file("soil_R2.fastq.gz", 2 * MIB),
    }

    with cutting_proxy(workplace.live.base, itertools.repeat(700 * KIB)) as proxy:
        code, _, complaint = workplace.run("upload", workplace.folder, url=proxy.address)

    assert (code, complaint) == (0, "")
    assert proxy.cuts >= 6
    for mate, content in contents.items():
        assert arrived(workplace, "soil", mate) == content
    assert len(workplace.sessions()) == 2


def test_a_dead_line_is_given_up_and_the_next_run_goes_on(workplace: Any) -> None:
    content = workplace.file("soil_R1.fastq.gz", 3 * MIB)

    with cutting_proxy(workplace.live.base, itertools.chain([MIB, MIB], itertools.repeat(1))) as proxy:
        refused = workplace.run("upload", "--patience", "0.5", workplace.folder, url=proxy.address)
    code, said, _ = workplace.run("upload", workplace.folder)

    assert refused[0] == 1
    assert refused[2].startswith("error: nothing moved for 0.5 s: ")
    assert refused[2].count("\n") == 1
    assert code == 0
    assert "resuming: " in said
    assert arrived(workplace, "soil", 1) == content


REFUSALS: list[tuple[list[str], list[str], dict[str, str], str]] = [
    ([], [], {}, "there is no read file; the extensions are .fastq.gz .fq.gz .fastq .fq"),
    (["soil_R1.fastq"], [], {"password": "wrong"}, "Invalid email or password"),
    (["soil_R1.fastq"], [], {"email": RESEARCHER}, "Unauthorized"),
    (["soil_R1.fastq"], ["--sample", "S-0"], {}, "the order has no sample S-0"),
    (["sea_R1.fastq"], [], {}, "nothing was sent: {folder}/sea_R1.fastq names no sample of the order"),
]
"""Files that come to those of the lines before, arguments, who asks, the one line."""


def test_each_refusal_is_one_clear_line_and_sends_nothing(workplace: Any) -> None:
    for names, arguments, options, error in REFUSALS:
        for name in names:
            workplace.file(name, 100)

        ended = workplace.run("upload", *arguments, workplace.folder, **options)

        assert ended == (1, "", f"error: {error.format(folder=workplace.folder)}\n")
    assert workplace.sessions() == []


def test_a_refusal_of_the_facility_is_told_in_its_words(workplace: Any, tmp_path: Path) -> None:
    workplace.file("soil_R1.fastq", 100)
    limit = {"maxFileBytes": 99}
    assert workplace.admin.patch("/api/admin/settings/uploads", json=limit).status_code == 200
    result = tmp_path / "result.json"

    code, _, complaint = workplace.run("upload", "--result", result, workplace.folder)

    assert (code, complaint) == (1, "error: File is larger than the allowed upload size\n")
    told = workplace.result(result)
    assert told["complete"] is False
    assert [(file["status"], file["error"]) for file in told["files"]] == [
        ("failed", "File is larger than the allowed upload size")
    ]


@pytest.mark.parametrize(
    "changed",
    [
        {"--url": "facility.test"},
        {"--parallel": "0"},
        {"--patience": "0"},
        {"--role": "R3"},
        {"--data-class": "clean"},
        {"--order": " "},
    ],
)
@pytest.mark.parametrize("command", ["upload", "download"])
def test_wrong_usage_is_told_with_the_usage(
    command: str, changed: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    options = {"--url": "http://127.0.0.1:9", "--email": "a@b.test", "--order": "o", **changed}
    arguments = [word for pair in options.items() for word in pair]

    with pytest.raises(SystemExit) as ended:
        main([command, "--password-stdin", *arguments, "place"])

    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("usage: seqfacility")
