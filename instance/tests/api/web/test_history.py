"""What is asked with every page costs the same after years: rows read and steps, never times."""

import importlib
import random

import pytest
from seqfacility_instance.tables.messages import MessageCount, Notification, Ticket, TicketMessage
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import User
from seqfacility_testkit.facility import Client, Facility
from seqfacility_testkit.history import copies, settle
from seqfacility_testkit.sequencing import draft_order
from seqfacility_testkit.work import asked, work_of

MESSAGES, TICKETS, PEOPLE, OTHERS = 100_000, 1_000, 100, 5_000
PATHS = (
    "/api/boot",
    "/api/tickets/unread",
    "/api/overview",
    "/api/notifications?limit=5",
    *(
        f"/api/orders?limit=5&sort={sort}"
        for sort in ("-created", "-changed", "changed", "name", "-name", "number")
    ),
    "/api/orders?limit=5&platform=NANOPORE",
    "/api/orders?limit=5&status=DRAFT",
    "/api/orders?limit=5&owner=nobody",
    "/api/orders?limit=5&from=2020-01-01&sort=created",
    "/api/orders?limit=5&needs=me",
)
counts = importlib.import_module("seqfacility_instance.migrations.0016_counts_and_indexes")


def grow(facility: Facility) -> None:
    """Add years of work that is done, most of it other people's."""
    person = f"'{facility.researcher_id[:20]}-' || (1 + n % {PEOPLE})"
    done = {"created_at": "1000000 + n", "user_id": person}
    copies(facility, User, facility.researcher_id, PEOPLE, email="'user' || n || '@lab.test'")
    number = "'ORD-20200504-' || (10000 + n)"
    status = {"status": "'COMPLETED'", "sequencing_files_published_at": "1000000 + n"}
    changed = {"updated_at": "1000000 + n * 7919 % 10007", "name": "'Soil ' || n * 7919 % 10007"}
    copies(facility, Order, Order.get().id, OTHERS, order_number=number, **status, **changed, **done)
    ticket = Ticket.get()
    copies(facility, Ticket, ticket.id, TICKETS, status="'CLOSED'", **done)
    of_ticket = f"'{ticket.id[:20]}-' || (1 + n % {TICKETS})"
    copies(
        facility,
        TicketMessage,
        TicketMessage.get().id,
        MESSAGES,
        ticket_id=of_ticket,
        created_at="1000000 + n",
    )
    read = {"user_id": f"'{facility.admin_id}'", "read_at": "1000000 + n", "created_at": "1000000 + n"}
    copies(facility, Notification, Notification.get().id, OTHERS, **read)
    MessageCount.delete().execute()
    counts.fill(facility.services.database)


def work(facility: Facility, client: Client, path: str) -> int:
    """Return what the database does for a request; the total of a list is counted by an index."""
    client.get(path)
    with asked() as statements:
        assert client.get(path).status_code == 200
    kept = [one for one in statements.queries if path == "/api/boot" or "COUNT(1)" not in one[0]]
    return sum(work_of(facility.services.database, *query) for query in kept)


def test_what_every_page_asks_does_not_grow_with_history(facility: Facility) -> None:
    facility.admin.put("/api/admin/modules", {"modules": {"notifications": True}})
    with facility.services.database.connection_context():
        for _ in range(12):
            draft_order(facility)
        ticket = facility.researcher.post("/api/tickets", {"subject": "Tubes", "body": "Where?"}).json[
            "ticket"
        ]
        facility.admin.post(f"/api/tickets/{ticket['id']}/messages", {"body": "Here."})
        facility.researcher.post(f"/api/tickets/{ticket['id']}/messages", {"body": "Thanks."})
        asking = [(client, path) for client in (facility.admin, facility.researcher) for path in PATHS]
        settle(facility)
        before = [work(facility, *one) for one in asking]

        grow(facility)
        settle(facility)

        grown = {
            (client is facility.admin, path): (small, large)
            for (client, path), small in zip(asking, before, strict=True)
            if (large := work(facility, client, path)) > small + OTHERS / 2
        }
        assert grown == {}
        assert facility.admin.get("/api/boot").json["unread"]["messages"] == MESSAGES + 2


def unread_by_looking(client: Client) -> int:
    return sum(ticket["unreadCount"] for ticket in client.get("/api/tickets?limit=100").json["tickets"])


@pytest.mark.parametrize("seed", range(2))
def test_counts_of_messages_are_those_that_somebody_would_count(facility: Facility, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311  # no secret
    clients = [facility.admin, facility.researcher, facility.other_researcher]
    owned: list[tuple[Client, str]] = []
    for _ in range(25):
        client = chance.choice(clients)
        seen = [ticket for owner, ticket in owned if client is facility.admin or owner is client]
        if not seen or chance.random() < 0.2:
            made = client.post("/api/tickets", {"subject": "Tubes", "body": "Where?"})
            owned.append((client, made.json["ticket"]["id"]))
        elif chance.random() < 0.4:
            client.get(f"/api/tickets/{chance.choice(seen)}")
        else:
            client.post(f"/api/tickets/{chance.choice(seen)}/messages", {"body": "Here."})
    for one in clients:
        assert one.get("/api/boot").json["unread"]["messages"] == unread_by_looking(one)

    with facility.services.database.connection_context():
        kept = set(MessageCount.select().tuples())
        MessageCount.delete().execute()
        counts.fill(facility.services.database)
        assert set(MessageCount.select().tuples()) == kept
