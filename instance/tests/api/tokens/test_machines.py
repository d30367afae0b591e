"""Machine accounts: bound to addresses, bounded by scopes, named in the audit, and no people."""

from datetime import timedelta

import pytest
from falcon.testing import Result
from seqfacility_instance.accounts import store
from seqfacility_instance.tables.people import AuditEvent, User
from seqfacility_instance.tables.tokens import ApiToken, Machine
from seqfacility_testkit.facility import ADMIN, Client, Facility
from seqfacility_testkit.one_of_each import make_one_of_each
from seqfacility_testkit.scripts import machine_at, new_machine

MACHINES = "/api/admin/machines"
BODY = {"name": "NovaSeq X", "addresses": ["127.0.0.0/8"], "scopes": ["uploads:write"], "expiresInDays": 365}
ELSEWHERE = {"error": "Token is not allowed from this address"}


def test_a_machine_is_shown_with_what_binds_it_and_its_token_once(facility: Facility) -> None:
    made = facility.admin.post(MACHINES, {**BODY, "addresses": ["127.0.0.1", "2001:db8::/32"]})
    listed = facility.admin.get(MACHINES)

    assert made.status_code == 201
    assert made.json["token"].startswith("sqf_m")
    assert made.json["machine"]["addresses"] == ["127.0.0.1/32", "2001:db8::/32"]
    assert made.json["machine"]["createdBy"]["email"] == ADMIN
    assert listed.json == {"machines": [made.json["machine"]]}
    Client(facility, token=made.json["token"]).get("/api/streams")
    used = facility.admin.get(MACHINES).json["machines"][0]
    assert used == {**made.json["machine"], "lastUsedAt": used["lastUsedAt"], "lastUsedAddress": "127.0.0.1"}


@pytest.mark.parametrize(
    ("networks", "is_in"),
    [
        (["127.0.0.1"], True),
        (["127.0.0.0/8"], True),
        (["192.0.2.0/24", "127.0.0.1/32"], True),
        (["192.0.2.0/24"], False),
        (["127.0.0.2"], False),
        (["::/0"], False),
    ],
)
def test_a_machine_calls_from_its_addresses_only(
    facility: Facility, networks: list[str], is_in: bool
) -> None:
    answer = machine_at(facility.admin, *networks).get("/api/streams")

    assert answer.status_code == (200 if is_in else 403)
    assert is_in or answer.json == ELSEWHERE
    assert is_in or ApiToken.get().last_used_at is None


def test_a_machine_cannot_say_where_it_stands(facility: Facility) -> None:
    machine = machine_at(facility.admin, "192.0.2.0/24")

    answer = machine.get("/api/streams", headers={"X-Forwarded-For": "192.0.2.7"})
    assert (answer.status_code, answer.json) == (403, ELSEWHERE)


def test_a_machine_does_what_its_scopes_name_although_the_routes_are_for_admins(facility: Facility) -> None:
    order_id = facility.researcher.post("/api/orders", {"name": "A lake"}).json["order"]["id"]
    machine = machine_at(facility.admin, "127.0.0.1")

    assert machine.get(f"/api/orders/{order_id}/sequencing").status_code == 200
    for path in ("/api/orders", "/api/admin/users", "/api/pipelines", "/api/assemblies"):
        assert machine.get(path).json == {"error": "Token does not allow this"}


def test_the_audit_names_the_machine(facility: Facility) -> None:
    order_id = facility.researcher.post("/api/orders", {"name": "A lake"}).json["order"]["id"]
    made = new_machine(facility.admin, "127.0.0.1", scopes=("orders:write",))
    machine = Client(facility, token=made["token"])
    assert machine.delete(f"/api/orders/{order_id}").status_code == 200
    assert facility.admin.delete(f"{MACHINES}/{made['machine']['id']}").json == {"success": True}

    deleted, done, created = facility.admin.get("/api/admin/audit").json["events"][:3]
    assert [event["action"] for event in (deleted, done, created)] == [
        "machine-deleted",
        "order-deleted",
        "machine-made",
    ]
    assert (done["actor"]["firstName"], done["actor"]["lastName"]) == ("Machine", "NovaSeq X")
    assert created["detail"]["addresses"] == ["127.0.0.1/32"]
    assert (created["objectId"], deleted["objectId"]) == (made["machine"]["id"],) * 2


def test_a_deleted_machine_is_gone_and_its_token_with_it(facility: Facility) -> None:
    made = new_machine(facility.admin, "127.0.0.1")
    machine = Client(facility, token=made["token"])

    facility.admin.delete(f"{MACHINES}/{made['machine']['id']}")
    assert machine.get("/api/streams").status_code == 401
    assert facility.admin.get(MACHINES).json == {"machines": []}
    assert facility.admin.delete(f"{MACHINES}/{made['machine']['id']}").json == {"error": "Machine not found"}
    assert User.select().where(User.last_name == "NovaSeq X").count() == 1


def test_a_machine_outlives_the_admin_who_made_it(facility: Facility) -> None:
    machine = machine_at(facility.admin, "127.0.0.1")
    User.update(is_active=False).where(User.id == facility.admin_id).execute()

    assert machine.get("/api/streams").status_code == 200


def test_the_account_of_a_machine_is_nobodys(facility: Facility) -> None:
    new_machine(facility.admin, "127.0.0.1")
    account = Machine.get().user
    path = f"/api/admin/users/{account.id}"

    refused: list[Result] = [
        facility.admin.patch(path, {"isActive": True}),
        facility.admin.post(f"{path}/reset-link"),
        facility.admin.get(f"{path}/tokens"),
    ]
    assert [answer.json for answer in refused] == [{"error": "User not found"}] * 3
    for password in ("!", "", "NovaSeq X"):
        body = {"email": account.email, "password": password}
        assert facility.anonymous.post("/api/auth/sign-in", body).status_code in {400, 401}
    assert account.id not in facility.admin.get("/api/admin/users").text
    assert account.id not in {user.id for user in store.list_accounts()}
    assert store.find_user_by_email(account.email) is None
    last_admin = facility.admin.patch(f"/api/admin/users/{facility.admin_id}", {"isActive": False})
    assert last_admin.status_code == 409


def test_a_machine_is_no_person_that_is_found_or_names_itself(facility: Facility) -> None:
    machine = machine_at(facility.admin, "127.0.0.1", scopes=("orders:write",))

    found = facility.admin.get("/api/search", params={"q": "novaseq"}).json["results"]
    renamed = machine.put("/api/user/profile", {"firstName": "Rosalind", "lastName": "Franklin"})

    assert found == []
    assert (renamed.status_code, renamed.json) == (403, {"error": "Token does not allow this"})


def test_a_delivery_link_of_a_machine_is_open_as_long_as_the_machine_is_there(facility: Facility) -> None:
    objects = make_one_of_each(facility.researcher_id, facility.admin_id, facility.clock.now())
    made = new_machine(facility.admin, "127.0.0.1", scopes=("orders:write",))
    machine, links = (
        Client(facility, token=made["token"]),
        f"/api/orders/{objects['order_id']}/delivery/links",
    )
    link = machine.post(links, {"expiresInDays": 1})
    path = "/d/" + link.json["url"].split("/d/")[1]

    assert link.status_code == 201
    assert facility.anonymous.get(path).status_code == 200
    facility.admin.delete(f"{MACHINES}/{made['machine']['id']}")
    assert facility.anonymous.get(path).status_code == 404


@pytest.mark.parametrize(
    "address",
    [
        "10.0.0.5/8",
        "256.0.0.1",
        "example.org",
        "10.0.0.0/33",
        "",
        "1",
        "::1/129",
        "a\0b",
        "::ffff:192.0.2.7",
        "fe80::1%eth0",
        "\uff11.2.3.4",
    ],
)
def test_an_address_that_is_none_is_refused(facility: Facility, address: str) -> None:
    answer = facility.admin.post(MACHINES, {**BODY, "addresses": ["127.0.0.1", address]})

    assert (answer.status_code, answer.json["error"]) == (400, "Validation failed")
    assert answer.json["details"][0].startswith("addresses[1]: must ")


@pytest.mark.parametrize("addresses", [[], ["127.0.0.1"] * 33, None, "127.0.0.1", [7]])
def test_a_machine_has_one_to_thirty_two_addresses(facility: Facility, addresses: object) -> None:
    assert facility.admin.post(MACHINES, {**BODY, "addresses": addresses}).status_code == 400
    assert Machine.select().count() == User.select().where(User.last_name == "NovaSeq X").count() == 0


def test_a_machine_whose_token_expired_stays_listed_until_it_is_deleted(facility: Facility) -> None:
    made = new_machine(facility.admin, "127.0.0.1")
    facility.clock.advance(timedelta(days=400))
    facility.services.worker.tick(facility.clock.now())

    assert Client(facility, token=made["token"]).get("/api/streams").status_code == 401
    assert facility.sign_in(ADMIN).get(MACHINES).json["machines"] == [made["machine"]]


def test_only_admins_look_after_machines(facility: Facility) -> None:
    assert facility.researcher.get(MACHINES).status_code == 403
    assert facility.researcher.post(MACHINES, BODY).status_code == 403
    assert facility.anonymous.get(MACHINES).status_code == 401
    assert AuditEvent.select().where(AuditEvent.action == "machine-made").count() == 0
