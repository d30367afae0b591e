"""Two admins plan at once, on real gunicorn: one after the other, never half of each."""

from concurrent.futures import ThreadPoolExecutor

import requests
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.workbooks import FORM_HEADERS, form, workbook

ROUNDS = 4
CALLERS = 6


def planned_order(client: LiveClient, samples: int) -> tuple[str, list[str]]:
    order_id = client.post("/api/orders", json={"name": "Soil"}).json()["order"]["id"]
    rows = [{"taxId": "410658"}] * samples
    saved = client.post(f"/api/orders/{order_id}/samples", json={"samples": rows}).json()
    return f"/api/orders/{order_id}/sequencing/runs", [row["sampleId"] for row in saved["samples"]]


def send(client: LiveClient, path: str, plan: bytes) -> requests.Response:
    return client.post(f"{path}/import?apply=true", data=form(plan), headers=FORM_HEADERS)


def test_plans_that_trade_barcodes_at_once_leave_one_of_them_whole(shared_live: LiveFacility) -> None:
    clients = [shared_live.sign_in() for _ in range(CALLERS)]
    path, codes = planned_order(clients[0], CALLERS)
    plans = [
        {code: f"barcode{(place + shift) % CALLERS + 1:02d}" for place, code in enumerate(codes)}
        for shift in range(CALLERS)
    ]
    books = [
        workbook([["Run", "Sample", "Barcode"], *(["R", code, barcode] for code, barcode in plan.items())])
        for plan in plans
    ]

    with ThreadPoolExecutor(CALLERS) as pool:
        for _round in range(ROUNDS):
            answers = list(pool.map(send, clients, [path] * CALLERS, books))
            assert [answer.status_code for answer in answers] == [200] * CALLERS, answers[0].text

    (run,) = clients[0].get(path).json()["runs"]
    places = clients[0].get(f"{path}/{run['id']}/samples").json()["assignments"]
    assert {place["sampleCode"]: place["barcode"] for place in places} in plans


def test_of_runs_of_one_name_that_are_made_at_once_one_is_made(shared_live: LiveFacility) -> None:
    clients = [shared_live.sign_in() for _ in range(CALLERS)]
    path, _codes = planned_order(clients[0], 1)

    with ThreadPoolExecutor(CALLERS) as pool:
        answers = list(pool.map(lambda client: client.post(path, json={"runId": "R"}), clients))

    assert sorted(answer.status_code for answer in answers) == [201] + [409] * (CALLERS - 1)
    assert len(clients[0].get(path).json()["runs"]) == 1


def test_a_barcode_that_two_save_at_once_goes_to_one(shared_live: LiveFacility) -> None:
    clients = [shared_live.sign_in() for _ in range(CALLERS)]
    path, codes = planned_order(clients[0], CALLERS)
    run = clients[0].post(path, json={"runId": "R"}).json()["run"]

    def place(client: LiveClient, code: str) -> int:
        body = {"assignments": [{"sampleId": code, "barcode": "1"}]}
        return client.post(f"{path}/{run['id']}/samples", json=body).status_code

    with ThreadPoolExecutor(CALLERS) as pool:
        statuses = list(pool.map(place, clients, codes))

    assert sorted(statuses) == [200] + [400] * (CALLERS - 1)
    assert len(clients[0].get(f"{path}/{run['id']}/samples").json()["assignments"]) == 1


def test_a_form_that_comes_in_chunks_is_read(shared_live: LiveFacility) -> None:
    client = shared_live.sign_in()
    path, codes = planned_order(client, 1)
    body = form(workbook([["Run", "Sample"], ["R", codes[0]]]))

    answer = client.post(f"{path}/import", data=iter([body[:100], body[100:]]), headers=FORM_HEADERS)

    assert answer.status_code == 200, answer.text
    assert answer.json()["applyReady"] is True
