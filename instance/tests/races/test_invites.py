"""Many strangers, one invite code."""

import threading

import requests
from seqfacility_testkit.facility import PASSWORD
from seqfacility_testkit.live import LiveFacility

STRANGERS = 12


def test_an_invite_makes_one_account_however_many_come_at_once(live_facility: LiveFacility) -> None:
    admin = live_facility.sign_in()
    code = admin.post("/api/admin/invites", json={}).json()["code"]
    barrier = threading.Barrier(STRANGERS)
    answers: list[tuple[int, str]] = []

    def register(number: int) -> None:
        body = {
            "email": f"stranger{number}@lab.test", "password": PASSWORD, "firstName": "S",
            "lastName": str(number), "role": "FACILITY_ADMIN", "inviteCode": code,
        }  # fmt: skip
        barrier.wait()
        answer = requests.post(f"{live_facility.base}/api/register", json=body, timeout=60)
        answers.append((answer.status_code, answer.json().get("error", "")))

    threads = [threading.Thread(target=register, args=(number,)) for number in range(STRANGERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(answers) == [(201, ""), *[(400, "Invite code is not valid")] * (STRANGERS - 1)]
    admins = admin.get("/api/admin/users?role=FACILITY_ADMIN").json()
    assert admins["total"] == 2


def test_two_admins_who_dismiss_each_other_leave_one(live_facility: LiveFacility) -> None:
    admin = live_facility.sign_in()
    code = admin.post("/api/admin/invites", json={}).json()["code"]
    second = {"email": "b@lab.test", "password": PASSWORD, "firstName": "B", "lastName": "B"}
    made = admin.post("/api/register", json={**second, "role": "FACILITY_ADMIN", "inviteCode": code})
    other = live_facility.sign_in("b@lab.test")
    first_id = admin.get("/api/user/profile").json()["profile"]["id"]
    second_id = made.json()["user"]["id"]
    barrier = threading.Barrier(2)
    statuses: list[int] = []

    def dismiss(who: requests.Session, user_id: str) -> None:
        barrier.wait()
        statuses.append(who.patch(f"/api/admin/users/{user_id}", json={"role": "RESEARCHER"}).status_code)

    threads = [
        threading.Thread(target=dismiss, args=(admin, second_id)),
        threading.Thread(target=dismiss, args=(other, first_id)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert statuses.count(200) == 1
    assert set(statuses) <= {200, 403, 409}
