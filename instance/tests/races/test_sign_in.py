"""Many guesses at one password, all at once."""

import threading
from collections import Counter

import requests
from seqfacility_testkit.facility import PASSWORD, RESEARCHER
from seqfacility_testkit.live import LiveFacility

GUESSES = 16
ALLOWED = 3


def test_guesses_made_at_once_are_bounded_like_those_made_in_a_row(live_facility: LiveFacility) -> None:
    admin = live_facility.sign_in()
    admin.patch("/api/admin/settings/access", json={"signInMaxFailures": ALLOWED})
    barrier = threading.Barrier(GUESSES)
    statuses: list[int] = []

    def guess(number: int) -> None:
        body = {"email": RESEARCHER, "password": f"guess number {number}"}
        barrier.wait()
        statuses.append(
            requests.post(f"{live_facility.base}/api/auth/sign-in", json=body, timeout=60).status_code
        )

    threads = [threading.Thread(target=guess, args=(number,)) for number in range(GUESSES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert Counter(statuses) == {401: ALLOWED, 429: GUESSES - ALLOWED}
    right = {"email": RESEARCHER, "password": PASSWORD}
    late = requests.post(f"{live_facility.base}/api/auth/sign-in", json=right, timeout=60)
    assert late.status_code == 429
