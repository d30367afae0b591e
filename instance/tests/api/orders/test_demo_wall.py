"""The wall between a demo workspace and everybody else: rows behind it do not exist."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.messages import store as messages_store
from seqfacility_instance.tables.messages import Ticket
from seqfacility_instance.tables.orders import Order, Sample, Sampleset
from seqfacility_instance.tables.people import DemoWorkspace, User
from seqfacility_instance.tables.studies import Study
from seqfacility_testkit.facility import Client, Facility


@dataclass(frozen=True)
class Corner:
    """One side of the wall: who looks, and what is there."""

    researcher: Client
    admin: Client
    order_id: str
    sample_id: str
    study_id: str
    ticket_id: str

    def paths(self) -> dict[str, str]:
        return {
            f"/api/orders/{self.order_id}": "Sequencing Order not found",
            f"/api/orders/{self.order_id}/notes": "Sequencing Order not found",
            f"/api/orders/{self.order_id}/samples": "Sequencing Order not found",
            f"/api/samples/{self.sample_id}": "Sample not found",
            f"/api/studies/{self.study_id}": "Study not found",
            f"/api/studies/{self.study_id}/mixs-impact": "Study not found",
            f"/api/tickets/{self.ticket_id}": "Ticket not found",
        }


def demo_user(name: str, role: Role) -> User:
    user: User = User.create(
        email=f"{name}@demo.test", password_hash="-", first_name="D", last_name=name, role=role, is_demo=True
    )
    return user


def corner(researcher: Client, admin: Client, owner_id: str) -> Corner:
    order = Order.create(
        order_number=f"ORD-20310504-{Order.select().count() + 1:04d}", user=owner_id, form_version=1
    )
    Sampleset.create(order=order.id)
    study = Study.create(title="Soil", user=owner_id, mixs_version=1)
    code = f"S-1-{Sample.select().count():06d}"
    sample = Sample.create(sample_code=code, order=order.id, study=study.id)
    ticket = Ticket.create(subject="Tubes", user=owner_id)
    messages_store.add_message(ticket.id, owner_id, "Where?", ticket.created_at)
    return Corner(researcher, admin, order.id, sample.id, study.id, ticket.id)


@pytest.fixture
def corners(facility: Facility) -> list[Corner]:
    """Return two demo workspaces and the facility itself."""
    found = [corner(facility.researcher, facility.admin, facility.researcher_id)]
    for name in ("one", "two"):
        user, admin = demo_user(name, Role.RESEARCHER), demo_user(f"{name}-admin", Role.FACILITY_ADMIN)
        now = facility.clock.now()
        workspace = DemoWorkspace.create(
            token_hash=name,
            user=user.id,
            admin_user=admin.id,
            seed_version=1,
            last_seen_at=now,
            expires_at=now + timedelta(hours=6),
        )
        clients = [
            Client(facility, facility.services.sessions.start(one, "127.0.0.1", workspace=workspace))
            for one in (user, admin)
        ]
        found.append(corner(clients[0], clients[1], user.id))
    return found


def test_everybody_reads_what_is_on_their_own_side(corners: list[Corner]) -> None:
    for here in corners:
        for path in here.paths():
            assert here.researcher.get(path).status_code == 200, path
            assert here.admin.get(path).status_code == 200, path


def test_what_is_on_another_side_is_unknown(corners: list[Corner]) -> None:
    for here in corners:
        for there in corners:
            for path, words in there.paths().items() if there is not here else ():
                answer = here.admin.get(path)

                assert (answer.status_code, answer.json) == (404, {"error": words})


def test_lists_show_one_side_only(corners: list[Corner]) -> None:
    for here in corners:
        expected = {
            "orders": here.order_id,
            "samples": here.sample_id,
            "studies": here.study_id,
            "tickets": here.ticket_id,
        }
        for client in (here.admin, here.researcher):
            for name, row_id in expected.items():
                listed = client.get(f"/api/{name}").json

                assert [row["id"] for row in listed[name]] == [row_id]
                assert listed["total"] == 1


def test_a_demo_session_changes_nothing(corners: list[Corner]) -> None:
    here = corners[1]
    refusals = {
        f"/api/orders/{here.order_id}": "Order editing is disabled in the public demo.",
        f"/api/samples/{here.sample_id}": "Order editing is disabled in the public demo.",
        f"/api/studies/{here.study_id}": "Study editing is disabled in the public demo.",
    }
    for client in (here.researcher, here.admin):
        for path, words in refusals.items():
            for method in ("PUT", "DELETE"):
                answer = client.request(method, path)

                assert (answer.status_code, answer.json) == (403, {"error": words})


def test_reading_a_ticket_in_the_demo_marks_nothing(corners: list[Corner]) -> None:
    here = corners[1]

    here.admin.get(f"/api/tickets/{here.ticket_id}")

    assert here.admin.get("/api/tickets/unread").json == {"unread": 1}


def test_an_admin_gives_no_order_to_a_demo_user(facility: Facility, corners: list[Corner]) -> None:
    demo_owner = Order.get(Order.id == corners[1].order_id).user_id

    answer = facility.admin.put(f"/api/orders/{corners[0].order_id}", {"userId": demo_owner})

    assert (answer.status_code, answer.json) == (
        400,
        {"error": "Validation failed", "details": ["userId: is not a known user"]},
    )
