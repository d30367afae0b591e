"""Who wins when several complete at once: real gunicorn, two workers."""

from concurrent.futures import ThreadPoolExecutor

import requests
from seqfacility_testkit.live_uploads import LiveOrder

CLIENTS = 8
ROUNDS = 5


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
    upload_id = ready(order, "R1", "soil_R1.fastq", b"@r\nA\n+\nI\n")

    with ThreadPoolExecutor(CLIENTS) as pool:
        answers = list(pool.map(lambda _: post(order, upload_id), range(CLIENTS)))

    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert len(reads(order)) == 1


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
