"""What every answer tells a browser: this is no page, frame it nowhere, lend it to nobody."""

from pathlib import Path

import pytest
from falcon.testing import TestClient
from seqfacility_instance.app import Composition, create_app
from seqfacility_instance.routes import routes
from seqfacility_instance.settings import read_settings
from seqfacility_testkit.facility import Facility

NOTHING_LOADS = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/version", 200),
        ("GET", "/api/orders", 401),
        ("GET", "/api/nowhere", 404),
        ("DELETE", "/api/version", 405),
        ("OPTIONS", "/api/version", 204),
        ("POST", "/api/auth/sign-in", 400),
    ],
)
def test_every_answer_carries_the_headers_whatever_its_status(
    facility: Facility, method: str, path: str, status: int
) -> None:
    answer = facility.http.simulate_request(method, path)

    assert answer.status_code == status
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == NOTHING_LOADS
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert "strict-transport-security" not in answer.headers


def test_a_service_that_people_reach_by_https_asks_browsers_to_stay_there(
    facility: Facility, tmp_path: Path
) -> None:
    services = facility.services
    secure = read_settings(
        {"SEQFACILITY_HOME": str(tmp_path), "SEQFACILITY_PUBLIC_URL": "https://facility.example"}
    )
    app = create_app(Composition(secure, services.database, services.credentials, routes(services)))

    answer = TestClient(app).simulate_get("/api/version")

    assert answer.headers["strict-transport-security"] == "max-age=63072000"
