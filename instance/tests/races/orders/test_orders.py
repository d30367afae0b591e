"""Many people at once: numbers are given once, one save wins, one status move wins."""

import threading
from collections.abc import Callable

import pytest
from requests import Response
from seqfacility_testkit.live import LiveClient, LiveFacility

ROUNDS = 5


def all_at_once(acts: list[Callable[[], Response]]) -> list[Response]:
    barrier = threading.Barrier(len(acts))
    answers: list[Response] = []

    def run(act: Callable[[], Response]) -> None:
        barrier.wait()
        answers.append(act())

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.fixture(scope="module")
def admins(shared_live: LiveFacility) -> list[LiveClient]:
    return [shared_live.sign_in() for _ in range(6)]


def make_order(client: LiveClient) -> str:
    order_id: str = client.post("/api/orders", json={}).json()["order"]["id"]
    return order_id


def test_order_numbers_have_neither_doubles_nor_gaps(admins: list[LiveClient]) -> None:
    numbers: list[str] = []
    for _ in range(ROUNDS):
        answers = all_at_once([lambda one=one: one.post("/api/orders", json={}) for one in admins])
        assert {answer.status_code for answer in answers} == {201}
        numbers += [answer.json()["order"]["orderNumber"] for answer in answers]

    counts = sorted(int(number.rsplit("-", 1)[1]) for number in numbers)
    assert counts == list(range(counts[0], counts[0] + ROUNDS * len(admins)))


def test_sample_codes_are_given_once(admins: list[LiveClient]) -> None:
    order_ids = [make_order(one) for one in admins]
    rows = {"samples": [{"taxId": "562"}] * 200}

    answers = all_at_once(
        [
            lambda one=one, order_id=order_id: one.post(f"/api/orders/{order_id}/samples", json=rows)
            for one, order_id in zip(admins, order_ids, strict=True)
        ]
    )

    assert {answer.status_code for answer in answers} == {200}
    codes = [sample["sampleId"] for answer in answers for sample in answer.json()["samples"]]
    assert len(set(codes)) == len(codes) == 200 * len(admins)


def test_of_saves_over_the_same_version_one_wins(admins: list[LiveClient]) -> None:
    path = f"/api/orders/{make_order(admins[0])}"
    for _ in range(ROUNDS):
        seen = admins[0].get(path).json()["order"]["updatedAt"]

        answers = all_at_once(
            [
                lambda one=one, name=f"by {place}", seen=seen: one.put(
                    path, json={"name": name, "baseUpdatedAt": seen}
                )
                for place, one in enumerate(admins)
            ]
        )

        won = [answer for answer in answers if answer.status_code == 200]
        assert [answer.status_code for answer in answers].count(409) == len(admins) - 1
        assert admins[0].get(path).json()["order"]["name"] == won[0].json()["order"]["name"]


def test_merges_of_different_keys_lose_nothing(admins: list[LiveClient]) -> None:
    path = f"/api/orders/{make_order(admins[0])}"

    answers = all_at_once(
        [
            lambda one=one, place=place: one.put(path, json={"customFields": {f"key{place}": place}})
            for place, one in enumerate(admins)
        ]
    )

    assert {answer.status_code for answer in answers} == {200}
    kept = admins[0].get(path).json()["order"]["customFields"]
    assert kept == {f"key{place}": place for place in range(len(admins))}


def test_of_moves_to_the_same_status_one_wins(admins: list[LiveClient]) -> None:
    order_id = make_order(admins[0])
    admins[0].post(f"/api/orders/{order_id}/samples", json={"samples": [{"taxId": "562"}]})
    path = f"/api/orders/{order_id}/status"

    for wanted in ("SUBMITTED", "COMPLETED", "SUBMITTED", "COMPLETED"):
        answers = all_at_once(
            [lambda one=one, wanted=wanted: one.post(path, json={"status": wanted}) for one in admins]
        )
        assert sorted(answer.status_code for answer in answers) == [200] + [400] * (len(admins) - 1)

    notes = admins[0].get(f"/api/orders/{order_id}/notes").json()["notes"]
    assert [note["noteType"] for note in notes] == ["STATUS_CHANGE"] * 4


def test_of_form_saves_over_the_same_version_one_wins(admins: list[LiveClient]) -> None:
    path = "/api/admin/form-config"
    for base in range(1, ROUNDS + 1):
        answers = all_at_once(
            [
                lambda one=one, name=f"field{place}", base=base: one.put(
                    path,
                    json={
                        "fields": [{"id": "1", "name": name, "type": "text"}],
                        "groups": [],
                        "baseVersion": base,
                    },
                )
                for place, one in enumerate(admins)
            ]
        )

        won = [answer.json() for answer in answers if answer.status_code == 200]
        assert sorted(answer.status_code for answer in answers) == [200] + [409] * (len(admins) - 1)
        assert admins[0].get(path).json() == won[0]
        assert won[0]["version"] == base + 1


def test_a_sample_joins_one_of_two_studies(admins: list[LiveClient]) -> None:
    order_id = make_order(admins[0])
    samples = admins[0].post(f"/api/orders/{order_id}/samples", json={"samples": [{}] * 20}).json()["samples"]
    sample_ids = [sample["id"] for sample in samples]
    studies = [one.post("/api/studies", json={"title": "Soil"}).json()["study"]["id"] for one in admins]

    answers = all_at_once(
        [
            lambda one=one, study=study: one.post(
                f"/api/studies/{study}/samples", json={"sampleIds": sample_ids}
            )
            for one, study in zip(admins, studies, strict=True)
        ]
    )

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * (len(admins) - 1)
    counts = [one["counts"]["samples"] for one in admins[0].get("/api/studies").json()["studies"]]
    assert sorted(counts) == [0] * (len(admins) - 1) + [20]
