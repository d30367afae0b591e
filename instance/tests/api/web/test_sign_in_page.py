"""The sign-in page: what people reach first, with nothing in it from elsewhere."""

import re

from seqfacility_testkit.facility import Facility


def test_the_page_that_a_ready_facility_points_at_is_there(facility: Facility) -> None:
    advised = facility.http.simulate_get("/api/setup/status").json["nextAction"]["href"]

    page = facility.http.simulate_get(advised)

    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert 'type="password" autocomplete="current-password"' in page.text


def test_the_bare_address_leads_to_the_page_which_says_what_this_is(facility: Facility) -> None:
    entrance = facility.http.simulate_get("/")
    page = facility.http.simulate_get(f"/{entrance.headers['location']}")

    assert (entrance.status_code, page.status_code) == (302, 200)
    assert "orders for sequencing" in page.text


def test_the_page_loads_only_files_of_ours_and_may_be_framed_nowhere(facility: Facility) -> None:
    page = facility.http.simulate_get("/sign-in")

    wanted = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert wanted == ["sign-in/page.css", "api/docs", "sign-in/page.js"]
    assert all(facility.http.simulate_get(f"/{path}").status_code == 200 for path in wanted)
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "<script>" not in page.text
    assert " style=" not in page.text


def test_a_file_that_the_page_does_not_have_is_404_like_any_other(facility: Facility) -> None:
    answer = facility.http.simulate_get("/sign-in/resources.py")

    assert (answer.status_code, answer.json) == (404, {"error": "Not found"})
