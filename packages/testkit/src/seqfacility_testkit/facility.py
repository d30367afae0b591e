"""A ready instance for tests: real SQLite, real folders, people who sign in, every answer checked."""

import os
import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from falcon.testing import Result, TestClient
from seqfacility_instance.accounts.service import NewAccount
from seqfacility_instance.app import Composition, create_app
from seqfacility_instance.core.clock import SystemClock
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.routes import routes
from seqfacility_instance.settings import DEFAULT_REGISTRY, Settings, read_settings
from seqfacility_instance.site.installation import FirstAdmin
from seqfacility_instance.tables.base import close_all_connections
from seqfacility_instance.wiring import Services, wire
from seqfacility_schemas import routes as contract_table

from seqfacility_testkit.contract import ContractCheck

PASSWORD = "correct horse battery"  # noqa: S105  # a password of test accounts only
ADMIN = "admin@facility.test"
RESEARCHER = "ada@lab.test"
OTHER_RESEARCHER = "grace@lab.test"


class MovableClock(SystemClock):
    """The machine's clock, moved by as much as a test wants."""

    def __init__(self) -> None:
        self.moved = timedelta()

    def now(self) -> datetime:
        return super().now() + self.moved

    def advance(self, by: timedelta) -> None:
        self.moved += by


class Client:
    """One person's browser, or a script with an API token: sends JSON, gives parsed answers."""

    def __init__(self, facility: "Facility", cookie: str | None = None, token: str | None = None) -> None:
        self.facility = facility
        self.cookie = cookie
        self.token = token

    def request(self, method: str, path: str, **options: Any) -> Result:
        """Send a request; `json=`, `params=`, `headers=`, `body=` as Falcon's test client takes them."""
        headers = dict(options.pop("headers", None) or {})
        if self.cookie is not None:
            headers.setdefault("Cookie", f"service_session={self.cookie}")
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        return self.facility.http.simulate_request(method, path, headers=headers, **options)

    def get(self, path: str, **options: Any) -> Result:
        return self.request("GET", path, **options)

    def post(self, path: str, json: object = None, **options: Any) -> Result:
        return self.request("POST", path, **({"json": json} if json is not None else {}), **options)

    def put(self, path: str, json: object = None, **options: Any) -> Result:
        return self.request("PUT", path, **({"json": json} if json is not None else {}), **options)

    def patch(self, path: str, json: object = None, **options: Any) -> Result:
        return self.request("PATCH", path, **({"json": json} if json is not None else {}), **options)

    def delete(self, path: str, **options: Any) -> Result:
        return self.request("DELETE", path, **options)


@dataclass(slots=True)
class Facility:
    """An instance in one folder, with three people and one client for each."""

    home: Path
    services: Services
    clock: MovableClock
    http: TestClient
    contract: ContractCheck
    anonymous: Client
    admin: Client
    researcher: Client
    other_researcher: Client
    admin_id: str
    researcher_id: str
    other_researcher_id: str

    @property
    def data(self) -> Path:
        return self.home / "data"

    def sign_in(self, email: str, password: str = PASSWORD) -> Client:
        client = Client(self)
        answer = client.post("/api/auth/sign-in", {"email": email, "password": password})
        assert answer.status_code == 200, answer.text
        client.cookie = answer.cookies["service_session"].value
        return client

    def close(self) -> None:
        close_all_connections(self.services.database)


def make_template(folder: Path, database_url: str = "") -> Path:
    """Run `init` and make the three accounts once; tests copy the folder, and the database with it."""
    home = folder / "home"
    services = wire(_settings(home, database_url))
    services.installation.make(FirstAdmin(ADMIN, "Rosalind", "Franklin", PASSWORD))
    people = [(RESEARCHER, "Ada", "Lovelace"), (OTHER_RESEARCHER, "Grace", "Hopper")]
    with services.database.connection_context():
        for email, first_name, last_name in people:
            services.accounts.create(NewAccount(email, first_name, last_name, Role.RESEARCHER, PASSWORD))
        if not database_url:
            services.database.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    close_all_connections(services.database)
    return home


def open_facility(template: Path, folder: Path, database_url: str = "") -> Facility:
    """Copy the template to `folder` and open it, everybody signed in."""
    home = folder / "home"
    shutil.copytree(template, home)
    clock = MovableClock()
    services = wire(_settings(home, database_url), clock)
    services.database.connect()
    _point_at(services, home)
    app = create_app(
        Composition(
            services.settings,
            services.database,
            services.credentials,
            routes(services),
            services.clock,
        )
    )
    contract = ContractCheck(contract_table("instance"), "instance/error")
    app.add_middleware(contract)
    facility = Facility.__new__(Facility)
    facility.home, facility.services, facility.clock = home, services, clock
    facility.http, facility.contract = TestClient(app), contract
    facility.anonymous = Client(facility)
    for name, email in (("admin", ADMIN), ("researcher", RESEARCHER), ("other_researcher", OTHER_RESEARCHER)):
        client, user_id = _session_for(facility, email)
        setattr(facility, name, client)
        setattr(facility, f"{name}_id", user_id)
    return facility


def move_folders(home: Path) -> None:
    """Let a copied state directory use its own folders and not those of its template."""
    services = wire(_settings(home))
    with services.database.connection_context():
        _point_at(services, home)


def _point_at(services: Services, home: Path) -> None:
    now = services.clock.now()
    services.facility.change("storage", {"dataBasePath": str(home / "data")}, now)
    services.facility.change("streamIngest", {"outputRoot": str(home / "sequencer")}, now)
    services.identity.settle(is_claimed=True)


def _session_for(facility: Facility, email: str) -> tuple[Client, str]:
    """Open a session without the slow password hash that a sign-in over HTTP takes."""
    from seqfacility_instance.accounts.store import find_user_by_email

    user = find_user_by_email(email)
    assert user is not None
    return Client(facility, facility.services.sessions.start(user, "127.0.0.1")), user.id


def _settings(home: Path, database_url: str = "") -> Settings:
    variables = {"SEQFACILITY_HOME": str(home), "SEQFACILITY_DATABASE_URL": database_url}
    return read_settings({"SERVICE_API_URL": DEFAULT_REGISTRY, **os.environ, **variables})
