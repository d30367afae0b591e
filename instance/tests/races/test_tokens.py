"""API tokens that are made, revoked and used at once."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import requests
from seqfacility_testkit.facility import RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.waiting import wait_until

BODY = {"name": "a script", "scopes": ["orders:read"], "expiresInDays": 1}
TOKENS = "/api/user/tokens"


def user_id_of(client: LiveClient) -> str:
    user_id: str = client.get("/api/user/profile").json()["profile"]["id"]
    return user_id


def test_no_token_that_is_made_meanwhile_outlives_the_deactivation_of_its_owner(
    live_facility: LiveFacility,
) -> None:
    admin, researcher = live_facility.sign_in(), live_facility.sign_in(RESEARCHER)
    account, cookies = f"/api/admin/users/{user_id_of(researcher)}", dict(researcher.cookies)

    def make(number: int) -> requests.Response:
        if number == 8:
            return admin.patch(account, json={"isActive": False})
        url = live_facility.base + TOKENS
        return requests.post(url, json=BODY, cookies=cookies, timeout=60)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(make, range(16)))
    admin.patch(account, json={"isActive": True})

    assert {answer.status_code for answer in answers} <= {200, 201, 401}
    assert answers[8].status_code == 200
    assert admin.get(f"{account}/tokens").json() == {"tokens": []}


def test_a_person_who_makes_many_at_once_has_fifty_tokens(live_facility: LiveFacility) -> None:
    cookies = dict(live_facility.sign_in(RESEARCHER).cookies)

    def make(_number: int) -> int:
        url = live_facility.base + TOKENS
        return requests.post(url, json=BODY, cookies=cookies, timeout=60).status_code

    with ThreadPoolExecutor(8) as pool:
        counted = Counter(pool.map(make, range(56)))

    assert counted == {201: 50, 409: 6}


def test_a_live_answer_ends_when_its_token_is_revoked(live_facility: LiveFacility) -> None:
    researcher = live_facility.sign_in(RESEARCHER)
    made = researcher.post(TOKENS, json=BODY).json()
    other = researcher.post(TOKENS, json=BODY).json()
    answers = [
        requests.get(
            f"{live_facility.base}/api/live?topics=orders",
            headers={"Authorization": f"Bearer {one['token']}"},
            stream=True,
            timeout=60,
        )
        for one in (made, other)
    ]

    assert [answer.status_code for answer in answers] == [200, 200]
    readers = [threading.Thread(target=_read, args=[answer], daemon=True) for answer in answers]
    for reader in readers:
        reader.start()
    assert researcher.delete(f"{TOKENS}/{made['tokenInfo']['id']}").status_code == 200

    wait_until(lambda: not readers[0].is_alive(), "the answer ends")
    assert readers[1].is_alive()
    assert researcher.delete(f"{TOKENS}/{other['tokenInfo']['id']}").status_code == 200
    wait_until(lambda: not readers[1].is_alive(), "the other answer ends")


def _read(answer: requests.Response) -> None:
    for _line in answer.iter_lines():
        pass
