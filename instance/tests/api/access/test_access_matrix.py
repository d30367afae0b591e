"""Who may call what: every route, every method, six kinds of callers, against a table that a person can read.

A new route needs a line in `access_matrix.txt`; the test says which one is missing and what it measured. It
needs another one in `token_scopes.txt`, against which tokens of every scope are measured.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from falcon.testing import Result
from seqfacility_instance.access.classes import SAFE_METHODS
from seqfacility_instance.access.errors import TokenNotAllowed
from seqfacility_instance.access.scopes import allows
from seqfacility_instance.core.vocabulary.people import Scope
from seqfacility_instance.routes import routes
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import AdminInvite, DemoWorkspace, Session, User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.results import PipelineArtifact
from seqfacility_instance.tables.sequencing import DeliveryLink
from seqfacility_instance.tables.site import SequencingTechCatalog, SiteSecret
from seqfacility_instance.tables.tokens import ApiToken
from seqfacility_instance.tables.webhooks import Webhook
from seqfacility_testkit.facility import Client, Facility, open_facility
from seqfacility_testkit.one_of_each import make_one_of_each
from seqfacility_testkit.scripts import machine_at, script_of

MATRIX = Path(__file__).with_name("access_matrix.txt")
TOKEN_SCOPES = Path(__file__).with_name("token_scopes.txt")
CALLERS = ("anonymous", "owner", "other", "admin", "demo-researcher", "demo-admin")
AT_ONCE = {"seconds": 0}
"""A live feed ends without waiting for news; other routes know no such parameter."""
NOT_JSON = "{"
"""A body that nobody accepts: whoever gets as far as its reading is through every door before it."""


@dataclass
class Stage:
    """A facility with one object of every kind, and somebody of every kind of callers."""

    facility: Facility
    callers: dict[str, Client]
    objects: dict[str, str]
    texts: list[tuple[str, str]] = field(default_factory=list)
    """Every answer that was measured: whose and to what, and its text."""

    def measure(self, method: str, template: str) -> dict[str, str]:
        """Return what each caller gets; whatever a request did is taken back."""
        return {name: self.measure_one(name, method, template) for name in CALLERS}

    def measure_one(self, caller: str, method: str, template: str) -> str:
        client = self.callers[caller]
        body = {} if method in SAFE_METHODS else {"body": NOT_JSON}
        with database.atomic() as transaction:
            answer = client.request(method, self.path(template), params=AT_ONCE, **body)
            transaction.rollback()
        self.texts.append((f"{method} {template} as {caller}", answer.content.decode("utf-8", "replace")))
        return word_of(answer)

    def path(self, template: str) -> str:
        """Fill the names of a path with the ids of our objects."""
        objects = dict(self.objects)
        if "/sequencing/runs/" in template:
            objects["run_id"] = objects["sequencing_run_id"]
        return re.sub(r"{(\w+)[^}]*}", lambda found: objects[found[1]], template)


def word_of(answer: Result) -> str:
    """Sum an answer up in a word, see the head of the table."""
    error = answer.json.get("error", "") if answer.status_code >= 400 else ""
    if error == TokenNotAllowed.message:
        return "scope"
    if answer.status_code == 403:
        if error.endswith("disabled in the public demo."):
            return "demo"
        return {"Unauthorized": "403", "Forbidden": "no"}.get(error, "own")
    return {401: "401", 404: "404", 500: "500"}.get(answer.status_code, "ok")


def lines_of_matrix(file: Path = MATRIX) -> dict[str, list[str]]:
    lines = [line.split() for line in file.read_text("utf-8").splitlines()]
    return {" ".join(words[:2]): words[2:] for words in lines if words and not words[0].startswith("#")}


@pytest.fixture(scope="module")
def stage(facility_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEQFACILITY_DEMO", "1")
        facility = open_facility(facility_template, tmp_path_factory.mktemp("matrix"))
    objects = make_one_of_each(facility.researcher_id, facility.admin_id, facility.clock.now())
    report = PipelineArtifact.get(id=objects["report_id"])
    (facility.data / report.path).parent.mkdir(parents=True)
    (facility.data / report.path).write_bytes(b"<html>")
    PipelineRun.update(run_folder=str((facility.data / report.path).parents[1])).execute()
    log = (facility.data / report.path).parents[1] / "work" / "report.log"
    log.parent.mkdir()
    log.write_text("made\n")
    SequencingTechCatalog.create(document={})  # or every reader would look for the registry, and wait
    callers = {
        "anonymous": facility.anonymous,
        "owner": facility.researcher,
        "other": facility.other_researcher,
        "admin": facility.admin,
        **demo_callers(facility),
    }
    yield Stage(facility, callers, objects)
    facility.close()


def demo_callers(facility: Facility) -> dict[str, Client]:
    """Begin two sessions of the demo, each in a workspace of its own."""
    callers = {}
    for word in ("researcher", "admin"):
        answer = facility.anonymous.post("/api/demo/session", {"as": word})
        callers[f"demo-{word}"] = Client(facility, answer.cookies["service_session"].value)
    return callers


@pytest.fixture(scope="module")
def measured(stage: Stage) -> dict[str, list[str]]:
    return {
        f"{method} {route.path}": [access.needs.value, *stage.measure(method, route.path).values()]
        for route in routes(stage.facility.services)
        for method, access in route.access.items()
    }


def secrets_of(stage: Stage) -> Iterator[tuple[str, str]]:
    """Name everything that must never leave the service."""
    yield from (
        (f"password of {user.email}", user.password_hash)
        for user in User.select()
        if user.password_hash.startswith("$")
    )
    yield from (("session", session.token_hash) for session in Session.select())
    yield from (("cookie", client.cookie) for client in stage.callers.values() if client.cookie)
    yield from (("invite", invite.code_hash) for invite in AdminInvite.select())
    yield from (("delivery link", link.token_hash) for link in DeliveryLink.select())
    yield from (("token", token.token_hash) for token in ApiToken.select())
    yield from (("workspace", workspace.token_hash) for workspace in DemoWorkspace.select())
    yield from (("launch", run.launch_token) for run in PipelineRun.select() if run.launch_token)
    yield from (("webhook", webhook.sealed_secret) for webhook in Webhook.select())
    yield from (("stored secret", secret.ciphertext) for secret in SiteSecret.select())
    weblog_secret = stage.facility.services.facility.execution().weblog_secret
    assert weblog_secret
    yield "weblog secret", weblog_secret
    yield "key", (stage.facility.home / "secret.key").read_text("ascii")


def test_every_caller_gets_on_every_route_what_the_table_says(
    stage: Stage, measured: dict[str, list[str]]
) -> None:
    expected = lines_of_matrix()

    differences = [
        f"{line}\n  measured {' '.join(words)}\n  expected {' '.join(expected.get(line, ['no line']))}"
        for line, words in measured.items()
        if expected.get(line) != words
    ]
    if differences:
        pytest.fail("access_matrix.txt says otherwise:\n" + "\n".join(differences), pytrace=False)
    assert sorted(set(expected) - set(measured)) == [], "lines of routes that are no more"
    assert stage.facility.contract.violations == []


def test_no_caller_gets_through_where_the_class_of_a_route_says_no() -> None:
    for line, (needs, *words) in lines_of_matrix().items():
        anonymous, owner, other, _admin, demo_researcher, demo_admin = words
        method, path = line.split()
        is_session_route = path.startswith("/api/auth/sign-") or path == "/api/demo/session"
        if needs in {"S", "O", "A", "AD"}:
            assert anonymous == "401", line
        if needs in {"A", "AD"}:
            assert {owner, other, demo_researcher} <= {"401", "403", "own"}, line
        if needs == "O":
            assert other == "no", line
        if method not in SAFE_METHODS and needs != "W" and not is_session_route:
            assert demo_admin == "demo", line
            assert demo_researcher != "ok", line


@pytest.mark.usefixtures("measured")
def test_no_answer_carries_a_hash_a_token_or_a_secret(stage: Stage) -> None:
    known = list(secrets_of(stage))

    leaks = [f"{where}: {what}" for where, text in stage.texts for what, secret in known if secret in text]
    assert leaks == []
    assert len(stage.texts) >= 6 * len(lines_of_matrix())


def token_callers(facility: Facility) -> Iterator[tuple[str, Scope, Client]]:
    """Give a client for each scope that each kind of owner can have, with the column of the owner."""
    for scope in Scope:
        yield "admin", scope, script_of(facility.admin, scope)
        if scope is not Scope.ADMIN:
            yield "owner", scope, script_of(facility.researcher, scope)
    for scope in (Scope.UPLOADS_WRITE, Scope.ADMIN):
        yield "admin", scope, machine_at(facility.admin, "127.0.0.1", scopes=(scope,))


def test_a_token_of_every_scope_gets_what_its_owner_gets_where_its_scope_says_so_and_nothing_else(
    stage: Stage,
) -> None:
    owners, needed = lines_of_matrix(), lines_of_matrix(TOKEN_SCOPES)
    callers = list(token_callers(stage.facility))

    differences = []
    for route in routes(stage.facility.services):
        for method in route.access:
            (said,) = needed.pop(f"{method} {route.path}", ["missing"])
            columns = dict(zip(CALLERS, owners[f"{method} {route.path}"][1:], strict=True))
            for owner, scope, client in callers:
                stage.callers["script"] = client
                measured = stage.measure_one("script", method, route.path)
                is_open = said == "open"
                passes = not is_open and said != "none" and allows({scope}, Scope(said))
                expected = columns["anonymous" if is_open else owner] if is_open or passes else "scope"
                if measured != expected:
                    differences.append(f"{method} {route.path} {said}: {owner}'s {scope} gets {measured}")
    del stage.callers["script"]

    assert differences == []
    assert sorted(needed) == [], "lines of routes that are no more"


def test_no_route_beneath_the_administration_is_open_to_a_token_of_another_scope() -> None:
    for line, (said,) in lines_of_matrix(TOKEN_SCOPES).items():
        if " /api/admin/" in line or line == "POST /api/files/delete":
            assert said in {"admin", "none"}, line
        if not line.startswith("GET"):
            assert not said.endswith(":read"), line
