"""A facility with a provider that does what a test tells it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from falcon.testing import Result
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.lying_provider import CLIENT_ID, CLIENT_SECRET, LyingProvider, lying_provider

SETTINGS = "/api/admin/settings/signIn"
COOKIE = "service_sign_in"


@dataclass
class Browser:
    """A browser that goes to the provider and comes back."""

    facility: Facility
    provider: LyingProvider
    provider_id: str = "institute"
    kept: dict[str, str] = field(default_factory=dict)

    def start(self, next_page: str | None = None) -> str:
        """Begin; return the address that the browser is sent to."""
        params = {} if next_page is None else {"next": next_page}
        answer = self._get("start", params)
        return str(answer.headers["location"])

    def callback(self, **params: str) -> Result:
        """Come back with these parameters."""
        return self._get("callback", params)

    def sign_in(self, next_page: str | None = None) -> Result:
        """Go the whole way."""
        return self.callback(**self.provider.authorize(self.start(next_page)))

    @property
    def client(self) -> Client:
        return Client(self.facility, self.kept["service_session"])

    def _get(self, what: str, params: dict[str, str]) -> Result:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.kept.items() if value)}
        path = f"/api/auth/oidc/{self.provider_id}/{what}"
        answer = self.facility.anonymous.get(path, params=params, headers=headers)
        self.kept |= {name: cookie.value for name, cookie in answer.cookies.items()}
        return answer


def place(answer: Result) -> str:
    """Return where an answer sends the browser."""
    assert answer.status_code == 302
    return str(answer.headers["location"])


def configure(facility: Facility, provider: LyingProvider, **changes: Any) -> Result:
    """Name the provider in the settings."""
    one = {
        "id": "institute",
        "name": "Institute of Limnology",
        "issuer": provider.issuer,
        "clientId": CLIENT_ID,
        "clientSecret": CLIENT_SECRET,
        **changes,
    }
    return facility.admin.patch(SETTINGS, {"oidcProviders": [one]})


@pytest.fixture
def provider() -> Iterator[LyingProvider]:
    with lying_provider() as running:
        yield running


@pytest.fixture
def browser(facility: Facility, provider: LyingProvider) -> Browser:
    """Return a browser in front of a facility that knows the provider."""
    assert configure(facility, provider).status_code == 200
    return Browser(facility, provider)
