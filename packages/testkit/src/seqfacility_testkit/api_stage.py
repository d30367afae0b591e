"""A real server with one object of every kind, and how each operation is asked without ending the others."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

import requests
from schemathesis import Case
from seqfacility_instance.accounts.store import find_user_by_email
from seqfacility_instance.tables.site import SiteSettings
from seqfacility_instance.wiring import Services

from seqfacility_testkit.api_fuzz import chance, with_ids
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.one_of_each import make_one_of_each
from seqfacility_testkit.registry import StandInRegistry
from seqfacility_testkit.soak import rounds

OWN_SESSION: Final = {
    "post_auth_sign_out",
    "post_auth_password",
    "post_demo_session",
    "delete_auth_sessions",
}
"""What ends or changes the session that asks gets one that nobody else uses."""

WHOLE: Final = rounds(short=100, long=1_000_000)
"""How many requests of one operation are all sent."""

SPARE: Final = "spare@lab.test"
SECRET: Final = "the-secret-of-this-weblog"  # noqa: S105  # of test facilities only


_KEYS: Final = {
    "orderId": "order_id",
    "studyId": "study_id",
    "sampleId": "sample_id",
    "readId": "read_id",
    "userId": "user_id",
    "departmentId": "department_id",
    "pipelineId": "pipeline_id",
    "sequencingRunId": "sequencing_run_id",
    "runId": "run_id",
    "id": "sample_id",
}
"""The keys of bodies and queries that name a thing, and whose id they get."""


@dataclass
class Stage:
    """A running server, direct access to its database, and one object of every kind for each operation."""

    live: LiveFacility
    services: Services
    registry: StandInRegistry
    settings: Mapping[str, Any]
    ids: dict[str, str] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)
    own_session: str = ""
    marks: Iterator[int] = field(default_factory=count)
    connection: requests.Session = field(default_factory=requests.Session)
    sent: int = 0
    met: int = 0

    def begin(self) -> None:
        """Make everything anew that the operation before may have deleted or changed."""
        self.met = 0
        self._restore_settings()
        people = {email: find_user_by_email(email) for email in (ADMIN, RESEARCHER, SPARE)}
        owner, admin = people[RESEARCHER], people[ADMIN]
        assert owner is not None
        assert admin is not None
        self.ids = make_one_of_each(owner.id, admin.id, self.services.clock.now(), str(next(self.marks)))
        spare = people[SPARE]
        assert spare is not None
        self.ids["user_id"] = spare.id
        self.sessions = {
            role: self.services.sessions.start(person, "127.0.0.1")
            for role, person in (("admin", admin), ("researcher", owner))
        }

    def headers(self, role: str, case: Case[Any]) -> dict[str, str]:
        """Return the headers of a request that somebody sends, and count it."""
        self.sent += 1
        token = self.sessions[role]
        if case.operation.definition.raw["operationId"] in OWN_SESSION:
            person = find_user_by_email(ADMIN if role == "admin" else RESEARCHER)
            assert person is not None
            # WHY: only the newest twenty of a person stay.
            self.services.sessions.end(self.own_session)
            token = self.own_session = self.services.sessions.start(person, "127.0.0.1")
        secret = {"Authorization": f"Bearer {SECRET}"} if case.path.endswith("/weblog") else {}
        return {"Cookie": f"service_session={token}", **secret}

    def senders(self, case: Case[Any]) -> list[str]:
        """Name who sends a request: the admin each, the researcher half of what is open to researchers.

        A large body has hundreds of bounds; in the short form only each fifth request after the hundredth is
        sent.
        """
        self.met += 1
        if self.met > WHOLE and self.met % 5:
            return []
        roles = case.operation.definition.raw["x-access"]["roles"]
        one_of = 2 if "RESEARCHER" in roles or not roles else 8
        return ["admin"] if chance(case.as_curl_command(), one_of) else ["admin", "researcher"]

    def fill(self, case: Case[Any]) -> None:
        """Name what exists in most requests, and turn away what would leave this machine or take for ever."""
        ids = self.ids
        if "/sequencing/runs/" in case.path:
            ids = {**ids, "run_id": ids["sequencing_run_id"]}
        for name, value in (case.path_parameters or {}).items():
            if name in ids and chance(value, 4):
                case.path_parameters[name] = ids[name]
        away = self.registry.base_url
        in_bodies = {key: ids[name] for key, name in _KEYS.items()}
        case.body = with_ids(case.body, in_bodies, {"syncUrl": away, "repository": away})
        query = case.query or {}
        for key in query.keys() & in_bodies.keys():
            if chance(query[key], 4):
                query[key] = in_bodies[key]
        if case.path.endswith("/settings/access") and isinstance(case.body, dict):
            # It would keep the admin of all further requests out.
            case.body.pop("adminsNeedSecondFactor", None)
        if case.path.endswith("/live"):
            # A live answer goes on for `seconds`: none, for each of these requests.
            query["seconds"] = 0
        case.query = query

    def _restore_settings(self) -> None:
        SiteSettings.update(**self.settings, row_version=SiteSettings.row_version + 1).execute()
