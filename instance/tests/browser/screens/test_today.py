"""Today: the facility's queue, dealt with where it stands, and what is running beside it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_deliveries import Delivered, submit_order
from seqfacility_testkit.pages import THEMES, WIDTHS, Viewer, Watch, axe, no_horizontal_scroll

INSTANCE = {"SEQFACILITY_DEMO": "1"}

WHY = "This action is disabled in the public demo."


@pytest.fixture
def called(counter: Callable[[], int]) -> Callable[[str], str]:
    """Make a name that no line has yet: the instance is shared, also with an attempt that failed."""
    number = counter()
    return lambda name: f"{name} {number}"


@pytest.fixture(scope="module")
def counter() -> Callable[[], int]:
    return count(1).__next__


def waiting(page: Page) -> Locator:
    return page.get_by_role("region", name="Waiting for you")


def line(page: Page, words: str) -> Locator:
    return waiting(page).get_by_role("listitem").filter(has_text=words)


def step_of(admin: LiveClient, order: Delivered) -> str:
    what: str = admin.get(f"/api/orders/{order.id}").json()["order"]["next"]["what"]
    return what


def ask(researcher: LiveClient, subject: str) -> str:
    answer = researcher.post("/api/tickets", json={"subject": subject, "body": "Which tubes?"})
    assert answer.ok, answer.text
    ticket: str = answer.json()["ticket"]["id"]
    return ticket


def begin_upload(admin: LiveClient, order: Delivered, sent: int) -> str:
    """Begin to send a file of 1,000 bytes; return the path of the session."""
    sessions = f"/api/orders/{order.id}/sequencing/uploads"
    (sample,) = admin.get(f"/api/orders/{order.id}/samples").json()["samples"]
    target = {"targetKind": "read", "targetRole": "R1", "sampleId": sample["id"]}
    body: dict[str, Any] = {**target, "originalName": "a_R1.fastq.gz", "expectedSize": 1000}
    answer = admin.post(sessions, json={**body, "metadata": {"dataClass": "raw"}})
    assert answer.ok, answer.text
    path = f"{sessions}/{answer.json()['uploadId']}"
    send(admin, path, 0, sent)
    return path


def send(admin: LiveClient, path: str, offset: int, size: int) -> None:
    answer = admin.patch(path, data=b"x" * size, headers={"X-Service-Offset": str(offset)})
    assert answer.ok, answer.text


def forget_signs_of_life(instance: LiveFacility) -> None:
    """Let the minute pass after which a process counts as silent."""
    with closing(sqlite3.connect(instance.home / "seqfacility.db")) as database, database:
        database.execute("UPDATE process_heartbeats SET last_heartbeat_at = last_heartbeat_at - 120000")


def test_three_lines_are_dealt_with_in_place_and_one_is_brought_back(
    admin_page: Page, watch: Watch, instance: LiveFacility, called: Callable[[str], str]
) -> None:
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    new_lake, sent_lake, tubes = called("New lake"), called("Sent lake"), called("Tubes of the lakes")
    unread = admin.get("/api/tickets/unread").json()["unread"]
    new = submit_order(researcher, new_lake, 1)
    sent = submit_order(researcher, sent_lake, 1)
    note = {"noteType": "SAMPLES_SENT", "content": "two boxes"}
    assert researcher.post(f"/api/orders/{sent.id}/notes", json=note).ok
    ticket = ask(researcher, tubes)
    admin_page.goto("/")
    expect(line(admin_page, new_lake)).to_contain_text("was submitted and waits to be accepted.")
    expect(line(admin_page, sent_lake)).to_contain_text("its samples have not arrived.")
    expect(line(admin_page, tubes)).to_contain_text("has 1 unread message.")
    watch.start_counting()

    waiting(admin_page).get_by_role("button", name=f"Accept order: {new_lake}").click()
    # It may wait for its samples already, in a line below.
    expect(line(admin_page, new_lake).filter(has_text="Order accepted.")).to_be_visible()
    waiting(admin_page).get_by_role("button", name=f"Record arrival: {sent_lake}").click()
    expect(line(admin_page, sent_lake).get_by_text("Samples arrived.")).to_be_visible()
    waiting(admin_page).get_by_role("button", name=f"Mark read: {tubes}").click()
    back = waiting(admin_page).get_by_role("button", name=f"Bring back: {tubes}")
    expect(back).to_be_visible()

    assert watch.presses == 3
    assert step_of(admin, sent) == "SEQUENCE"
    assert admin.get("/api/tickets/unread").json() == {"unread": unread}

    back.click()

    again = waiting(admin_page).get_by_role("button", name=f"Mark read: {tubes}")
    expect(again).to_be_focused()
    assert admin.get("/api/tickets/unread").json() == {"unread": unread + 1}
    assert step_of(admin, new) == "SEND_SAMPLES"
    expect(line(admin_page, new_lake).get_by_text("Order accepted.")).to_have_count(0)
    admin.put(f"/api/tickets/{ticket}/read")
    expect(line(admin_page, tubes)).to_have_count(0)


def test_an_accepted_order_is_brought_back_by_keyboard_to_where_it_was(
    admin_page: Page, instance: LiveFacility, called: Callable[[str], str]
) -> None:
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    slip = called("Slip of the hand")
    order = submit_order(researcher, slip, 1)
    admin_page.goto("/")
    accept = waiting(admin_page).get_by_role("button", name=f"Accept order: {slip}")
    accept.focus()
    admin_page.keyboard.press("Enter")
    back = waiting(admin_page).get_by_role("button", name=f"Bring back: {slip}")
    expect(back).to_be_visible()
    assert step_of(admin, order) == "SEND_SAMPLES"

    back.focus()
    admin_page.keyboard.press("Enter")

    expect(accept).to_be_focused()
    assert step_of(admin, order) == "ACCEPT"
    assert admin.get(f"/api/orders/{order.id}/notes").json()["notes"][0]["noteType"] == "STATUS_CHANGE"


def test_a_new_order_and_the_bytes_of_an_upload_arrive_without_a_reload(
    admin_page: Page, watch: Watch, instance: LiveFacility, called: Callable[[str], str]
) -> None:
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    by_itself = called("Comes by itself")
    admin_page.goto("/")
    expect(waiting(admin_page)).to_be_visible()
    expect(line(admin_page, by_itself)).to_have_count(0)

    order = submit_order(researcher, by_itself, 1)

    expect(line(admin_page, by_itself)).to_be_visible()
    upload = begin_upload(admin, order, 400)
    running = admin_page.get_by_role("region", name="Running now").get_by_role("listitem")
    running = running.filter(has_text=by_itself)
    expect(running).to_contain_text("40 %, 1 file, 400 B of 1 kB")
    send(admin, upload, 400, 500)
    expect(running).to_contain_text("90 %, 1 file, 900 B of 1 kB")
    expect(running).to_contain_text("B/s, about")
    assert admin.delete(upload).ok
    expect(running).to_have_count(0)


def test_what_is_wrong_with_the_facility_is_said_with_what_to_do(
    admin_page: Page, instance: LiveFacility
) -> None:
    admin_page.goto("/")

    expect(line(admin_page, "monitor-runs")).to_contain_text(
        "gives no sign of life, so nobody watches analyses and starts those that wait."
        " Look at its log, and start it: seqfacility monitor-runs"
    )
    expect(line(admin_page, "worker")).to_contain_text("seqfacility worker")


def test_a_process_that_comes_to_life_or_falls_silent_is_told_without_a_reload(
    admin_page: Page, instance: LiveFacility
) -> None:
    admin_page.goto("/")
    expect(line(admin_page, "monitor-streams")).to_be_visible()

    monitor = instance.run("monitor-streams")

    expect(line(admin_page, "monitor-streams")).to_have_count(0)
    assert monitor.stop() == 0
    forget_signs_of_life(instance)
    expect(line(admin_page, "monitor-streams")).to_be_visible()


@pytest.mark.parametrize("width", [min(WIDTHS), max(WIDTHS)])
def test_today_is_for_everybody_in_each_of_its_states(
    viewer: Viewer, instance: LiveFacility, web: Path, width: int
) -> None:
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    order = submit_order(researcher, f"Seen at {width}", 1)
    ask(researcher, f"Boxes of {width}")
    upload = begin_upload(admin, order, 400)
    for theme in THEMES:
        page, _ = viewer.open(ADMIN, width=width, theme=theme)
        page.goto("/")
        expect(
            page.get_by_role("region", name="Running now").get_by_role("progressbar").first
        ).to_be_visible()
        axe(page, web)
        no_horizontal_scroll(page)
        waiting(page).get_by_role("button", name=f"Mark read: Boxes of {width}").click()
        back = waiting(page).get_by_role("button", name=f"Bring back: Boxes of {width}")
        expect(back).to_be_visible()
        axe(page, web)
        no_horizontal_scroll(page)
        back.click()
        expect(back).to_have_count(0)
    assert admin.delete(upload).ok


def test_an_empty_queue_says_so_and_what_comes(viewer: Viewer, web: Path) -> None:
    page, _ = viewer.open(ADMIN, width=max(WIDTHS))
    nothing = {"counts": {}, "waiting": [], "ready": [], "readyCount": 0, "running": [], "runningCount": 0}
    page.route("**/api/overview", lambda route: route.fulfill(json={**nothing, "disk": None}))

    page.goto("/")

    expect(waiting(page)).to_contain_text("Nothing waits for you. What comes in is shown here by itself.")
    expect(page.get_by_role("region", name="Running now")).to_contain_text("Nothing is running.")
    axe(page, web)
