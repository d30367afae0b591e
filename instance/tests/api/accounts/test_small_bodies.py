"""What anybody may send without a session is small."""

import pytest
from seqfacility_instance.core.limits import SESSIONLESS_BODY_MAX_BYTES
from seqfacility_testkit.facility import Facility

PATHS = [
    "/api/auth/sign-in",
    "/api/register",
    "/api/auth/password-reset",
    "/api/invites/verify",
    "/api/demo/session",
]


@pytest.fixture(autouse=True)
def with_demo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEQFACILITY_DEMO", "1")


@pytest.mark.parametrize("path", PATHS)
def test_a_body_without_a_session_ends_at_8_kib(path: str, facility: Facility) -> None:
    filling = "x" * (SESSIONLESS_BODY_MAX_BYTES - len('{"x": ""}'))

    at_the_limit = facility.anonymous.post(path, {"x": filling})
    above = facility.anonymous.post(path, {"x": filling + "x"})

    assert at_the_limit.status_code != 413
    assert (above.status_code, above.json) == (413, {"error": "Request body is too large"})
