"""Many requests for an account with one e-mail, while accounts wait for approval."""

from concurrent.futures import ThreadPoolExecutor

import requests
from seqfacility_testkit.facility import PASSWORD
from seqfacility_testkit.live import LiveFacility

REQUESTS = 8


def test_requests_for_one_email_at_once_make_one_account_and_are_answered_alike(
    live_facility: LiveFacility,
) -> None:
    body = {"email": "marie@lab.test", "password": PASSWORD, "firstName": "Marie", "lastName": "Curie"}

    def register(_number: int) -> tuple[int, object, object]:
        answer = requests.post(f"{live_facility.base}/api/register", json=body, timeout=60)
        return answer.status_code, sorted(answer.json()), answer.json()["user"]["email"]

    with ThreadPoolExecutor(REQUESTS) as pool:
        answers = list(pool.map(register, range(REQUESTS)))

    assert answers == [(201, ["pendingApproval", "success", "user"], "marie@lab.test")] * REQUESTS
    assert live_facility.sign_in().get("/api/admin/users?pendingApproval=true").json()["total"] == 1
