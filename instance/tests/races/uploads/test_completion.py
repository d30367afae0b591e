"""Who wins when several complete at once: real gunicorn, two workers."""

from concurrent.futures import ThreadPoolExecutor

import requests
from seqfacility_testkit.live_uploads import LiveOrder
from seqfacility_testkit.soak import record, rounds

CLIENTS = 8
ROUNDS = rounds(short=3, long=100)


def ready(order: LiveOrder, role: str, name: str, content: bytes) -> str:
    upload_id = order.initiate(len(content), role, name)
    answer = order.admin.patch(
        f"{order.uploads}/{upload_id}", data=content, headers={"x-service-offset": "0"}
    )
    assert answer.json()["status"] == "READY"
    return upload_id


def post(order: LiveOrder, upload_id: str) -> requests.Response:
    return requests.post(
        f"{order.admin.facility.base}{order.uploads}/{upload_id}/complete",
        cookies=order.admin.cookies.get_dict(),
        timeout=60,
    )


def reads(order: LiveOrder) -> list[dict[str, object]]:
    found: list[dict[str, object]] = order.admin.get(f"/api/samples/{order.sample_id}").json()["sample"][
        "reads"
    ]
    return found


def test_completions_at_once_make_one_read_and_answer_alike(order: LiveOrder) -> None:
    with ThreadPoolExecutor(CLIENTS) as pool:
        for number in range(ROUNDS):
            upload_id = ready(order, "R1", f"soil{number}_R1.fastq", b"@r\nA\n+\nI\n")

            answers = list(pool.map(lambda _: post(order, upload_id), range(CLIENTS)))  # noqa: B023

            assert {answer.status_code for answer in answers} == {200}
            assert len({answer.text for answer in answers}) == 1
            assert len(reads(order)) == number + 1
    record(
        "Completing an upload several times at once makes one file and one read.",
        tried=f"{ROUNDS} times {CLIENTS} completions at once",
        found="every answer 200 with the same body, one read each",
    )


def test_mates_that_complete_at_once_end_in_one_read(order: LiveOrder) -> None:
    with ThreadPoolExecutor(2) as pool:
        for number in range(ROUNDS):
            names = {role: f"round{number}_{role}.fastq" for role in ("R1", "R2")}
            mates = [ready(order, role, name, b"@r\nA\n+\nI\n") for role, name in names.items()]

            answers = list(pool.map(lambda upload_id: post(order, upload_id), mates))

            active = [read for read in reads(order) if read["isActive"]]
            assert {answer.status_code for answer in answers} == {200}
            assert len(active) == 1
            assert str(active[0]["file1"]).endswith(names["R1"])
            assert str(active[0]["file2"]).endswith(names["R2"])
    record(
        "R1 and R2 that complete at the same moment land in one read.",
        tried=f"{ROUNDS} pairs completed at once",
        found="each time one active read with both files",
    )


def test_files_of_one_name_that_complete_at_once_keep_their_bytes(order: LiveOrder) -> None:
    contents = [f"@r{number}\nA\n+\nI\n".encode() for number in range(CLIENTS)]
    uploads = [ready(order, "R1", "same.fastq", content) for content in contents]

    with ThreadPoolExecutor(CLIENTS) as pool:
        answers = list(pool.map(lambda upload_id: post(order, upload_id), uploads))

    paths = [answer.json()["finalPath"] for answer in answers]
    data = order.admin.facility.home / "data"
    assert len(set(paths)) == CLIENTS
    assert [(data / path).read_bytes() for path in paths] == contents
    assert len([read for read in reads(order) if read["isActive"]]) == 1
