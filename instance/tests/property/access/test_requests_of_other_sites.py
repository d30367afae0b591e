"""Requests that the page of another site makes a browser send: refused, and nothing is changed by them."""

import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from seqfacility_instance.access.classes import SAFE_METHODS, Needs
from seqfacility_instance.routes import routes
from seqfacility_instance.tables.base import database
from seqfacility_testkit.facility import PASSWORD, RESEARCHER, Facility, open_facility
from seqfacility_testkit.one_of_each import make_one_of_each
from seqfacility_testkit.soak import record, rounds

REQUESTS = rounds(short=600, long=100_000)
OUR_HOST = "facility.example"
FOREIGN_ORIGINS = (
    *("https://evil.example", "http://evil.example:80", f"https://{OUR_HOST}.evil.example", "null", ""),
    *(f"https://{OUR_HOST}:8443", f"https://{OUR_HOST}@evil.example", f"https://evil.example/{OUR_HOST}"),
    *(f"https://evil-{OUR_HOST}", f"https://www.{OUR_HOST}", "file://", "chrome-extension://abc", "http://["),
    *(OUR_HOST, f"//{OUR_HOST}", f"https://{OUR_HOST}%2eevil.example", f"https://evil.example#{OUR_HOST}"),
)
OUR_ORIGINS = (f"https://{OUR_HOST}", f"http://{OUR_HOST}", f"https://{OUR_HOST.upper()}:443")
CONTENT_TYPES = (
    *(None, "application/json", "text/plain", "application/x-www-form-urlencoded"),
    *("multipart/form-data; boundary=x", "application/json; charset=utf-16", "text/plain; application/json"),
)
BODIES = (
    json.dumps(
        {
            "email": RESEARCHER,
            "password": PASSWORD,
            "firstName": "A",
            "lastName": "B",
            "as": "admin",
            "currentPassword": PASSWORD,
            "newPassword": "another long password",
            "token": "x",
            "code": "x",
            "name": "Taken over",
            "status": "SUBMITTED",
            "samples": [],
            "action": "reset",
        }
    ),
    *("{}", "", "email=ada&password=x", "--x--"),
)


@pytest.fixture
def stage(
    facility_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Facility, Mapping[str, str]]]:
    """Return a facility with a demo and one object of every kind, and the ids of these."""
    monkeypatch.setenv("SEQFACILITY_DEMO", "1")
    facility = open_facility(facility_template, tmp_path)
    yield facility, make_one_of_each(facility.researcher_id, facility.admin_id, facility.clock.now())
    facility.close()


def database_rows() -> dict[str, list[tuple[object, ...]]]:
    """Write every row of every table but the audit trail, which tells of the refusals."""
    return {
        name: database.execute_sql(f'SELECT * FROM "{name}"').fetchall()  # noqa: S608  # our own tables
        for name in database.get_tables()
        if name != "audit_events"
    }


def files_of(folder: Path) -> dict[str, int]:
    """Return every file of the state directory that is not the database's, and its size."""
    return {
        str(path): path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith("seqfacility.db")
    }


def foreign_headers(dice: random.Random) -> dict[str, str]:
    """Write what a browser may say of a request that another site's page makes: one of both, or both."""
    says_site, says_origin = dice.choice([(True, False), (False, True), (True, True)])
    headers = {"Host": OUR_HOST}
    if says_site:
        headers["Sec-Fetch-Site"] = dice.choice(["cross-site", "Cross-Site", " cross-site "])
    elif dice.random() < 0.5:
        headers["Sec-Fetch-Site"] = dice.choice(["same-site", "same-origin", "none", "strange"])
    if says_origin:
        headers["Origin"] = dice.choice(FOREIGN_ORIGINS)
    elif dice.random() < 0.5:
        headers["Origin"] = dice.choice(OUR_ORIGINS)
    others = {
        "X-Forwarded-Host": "evil.example",
        "Forwarded": "host=evil.example",
        "Referer": "https://x/",
        "X-Requested-With": "XMLHttpRequest",
        "X-HTTP-Method-Override": "GET",
    }
    headers |= {name: value for name, value in others.items() if dice.random() < 0.2}
    content_type = dice.choice(CONTENT_TYPES)
    return headers if content_type is None else {**headers, "Content-Type": content_type}


def test_no_request_of_another_site_begins_a_session_or_changes_anything(
    stage: tuple[Facility, Mapping[str, str]],
) -> None:
    facility, ids = stage
    dice = random.Random("other sites")  # noqa: S311  # the same requests every time
    unsafe = [
        (method, route.path, access.needs)
        for route in routes(facility.services)
        for method, access in route.access.items()
        if method not in SAFE_METHODS and access.needs is not Needs.WEBLOG_SECRET
    ]
    cookies = [f"service_session={client.cookie}" for client in (facility.researcher, facility.admin)]
    cookies.append(f"{cookies[0]}; {cookies[1]}")
    before = database_rows(), files_of(facility.home)
    refused = {403: 0, 401: 0}

    for number in range(REQUESTS):
        method, template, needs = unsafe[number % len(unsafe)]
        cookie = dice.choice([None, *cookies])
        headers = foreign_headers(dice) | ({} if cookie is None else {"Cookie": cookie})
        path = re.sub(r"{(\w+)[^}]*}", lambda found: ids[found[1]], template)
        answer = facility.http.simulate_request(method, path, headers=headers, body=dice.choice(BODIES))

        is_asked_for_session = cookie is None and needs is not Needs.NOTHING
        expected = {401, 403} if is_asked_for_session else {403}
        assert answer.status_code in expected, (method, path, headers, answer.text)
        assert is_asked_for_session or answer.json == {"error": "Cross-site request refused"}
        assert not answer.cookies
        refused[answer.status_code] += 1

    assert (database_rows(), files_of(facility.home)) == before
    own = {"Host": OUR_HOST, "Origin": f"https://{OUR_HOST}", "Sec-Fetch-Site": "same-origin"}
    admitted = facility.anonymous.post(
        "/api/auth/sign-in", {"email": RESEARCHER, "password": PASSWORD}, headers=own
    )
    assert admitted.status_code == 200
    record(
        "No page of another site begins a session in a visitor's browser or changes anything through it",
        tried=f"{REQUESTS:,} requests to all {len(unsafe)} unsafe routes with the `Origin`, "
        "`Sec-Fetch-Site`, content type and cookie of a foreign page",
        found=f"{refused[403]:,} refused as cross-site, {refused[401]:,} as signed out; "
        "no session begun, no row and no file changed",
    )
