"""What an admin does with people, machines, webhooks and mail, and reads in the audit."""

import re
import sqlite3
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from seqfacility_testkit.facility import ADMIN, OTHER_RESEARCHER, PASSWORD, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import submit_order
from seqfacility_testkit.pages import Viewer, Watch, looks_right

WAITING = "mary@lab.test"


@pytest.fixture(scope="module")
def registered(instance: LiveFacility) -> None:
    """Let somebody wait for approval."""
    body = {"email": WAITING, "password": PASSWORD, "firstName": "Mary", "lastName": "Anning"}
    assert instance.sign_in().post("/api/register", json=body).status_code == 201


def open_person(page: Page, name: str) -> None:
    page.get_by_role("table", name="People").get_by_role("link", name=name).click()
    expect(page.get_by_role("dialog", name=name)).to_be_visible()


@pytest.mark.usefixtures("registered")
def test_who_waits_is_found_and_approved(admin_page: Page, instance: LiveFacility, web: Path) -> None:
    admin_page.goto("/")
    admin_page.get_by_role("navigation", name="Main").get_by_role("link", name="People").click()
    expect(admin_page.get_by_role("heading", level=1)).to_have_text("People")
    expect(admin_page.get_by_role("table", name="People").get_by_role("row")).to_have_count(5)
    looks_right(admin_page, web)

    admin_page.set_viewport_size({"width": 1280, "height": 900})
    admin_page.get_by_role("button", name="State", exact=True).click()
    admin_page.get_by_role("menuitemradio", name="Waits for approval").click()
    expect(admin_page).to_have_url(re.compile(r"state=waiting"))
    open_person(admin_page, "Mary Anning")
    looks_right(admin_page, web)
    admin_page.get_by_role("button", name="Approve").click()

    expect(admin_page.get_by_text("Nobody fits")).to_be_visible()
    expect(admin_page.get_by_role("dialog").get_by_text("Active")).to_be_visible()
    assert instance.sign_in(WAITING).get("/api/orders").status_code == 200


def test_an_account_is_looked_after_with_the_keyboard_alone(admin_page: Page, instance: LiveFacility) -> None:
    grace = instance.sign_in(OTHER_RESEARCHER)
    admin_page.goto("/facility/people")
    search = admin_page.get_by_role("searchbox", name="Search people")
    search.focus()
    admin_page.keyboard.type("hopper")
    expect(admin_page.get_by_role("table", name="People").get_by_role("row")).to_have_count(2)
    admin_page.get_by_role("table", name="People").get_by_role("row").nth(1).focus()
    admin_page.keyboard.press("Enter")
    drawer = admin_page.get_by_role("dialog", name="Grace Hopper")
    expect(drawer).to_be_visible()

    drawer.get_by_role("button", name="End all sessions").focus()
    admin_page.keyboard.press("Enter")
    asked = admin_page.get_by_role("dialog", name="End all sessions of Grace Hopper")
    asked.get_by_role("button", name="End all sessions").focus()
    admin_page.keyboard.press("Enter")
    expect(asked).to_have_count(0)
    assert grace.get("/api/orders").status_code == 401

    drawer.get_by_role("button", name="Make reset link").focus()
    admin_page.keyboard.press("Enter")
    once = admin_page.get_by_role("dialog", name="Reset link for Grace Hopper")
    expect(once.get_by_text(f"{instance.base}/reset")).to_be_visible()
    once.get_by_role("button", name="Done").focus()
    admin_page.keyboard.press("Enter")
    admin_page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)
    expect(admin_page).to_have_url(re.compile(r"/facility/people\?q=hopper$"))


def test_a_person_is_found_by_department_and_leads_to_orders_and_audit(
    admin_page: Page, instance: LiveFacility, web: Path
) -> None:
    admin = instance.sign_in()
    made = admin.post("/api/admin/departments", json={"name": "Oceanography"}).json()["department"]
    submit_order(instance.sign_in(RESEARCHER), "Spring survey", 1)
    admin_page.goto("/facility/people?q=lovelace&sort=name")
    open_person(admin_page, "Ada Lovelace")
    admin_page.get_by_role("button", name="Edit").click()
    asked = admin_page.get_by_role("dialog", name="Edit Ada Lovelace")
    asked.get_by_label("Last name").fill("")
    asked.get_by_label("Institution").fill("Institute of the lake")
    asked.get_by_label("Department").select_option("Oceanography")
    looks_right(admin_page, web)
    admin_page.set_viewport_size({"width": 1280, "height": 900})
    asked.get_by_label("Last name").fill("Lovelace")
    asked.get_by_role("button", name="Save").click()
    drawer = admin_page.get_by_role("dialog", name="Ada Lovelace")
    expect(drawer.get_by_text("Institute of the lake")).to_be_visible()

    drawer.get_by_role("link", name="Oceanography").click()
    expect(admin_page).to_have_url(re.compile(rf"\?department={made['id']}$"))
    people = admin_page.get_by_role("table", name="People")
    expect(people.get_by_role("row")).to_have_count(2)
    expect(admin_page.get_by_role("button", name="Remove Department: Oceanography")).to_be_visible()
    looks_right(admin_page, web)
    admin_page.set_viewport_size({"width": 1280, "height": 900})
    open_person(admin_page, "Ada Lovelace")
    admin_page.get_by_role("link", name="What was done to the account").click()
    expect(admin_page.get_by_role("link", name="User changed")).to_be_visible()
    admin_page.get_by_role("table", name="Audit").get_by_role("link", name="Ada Lovelace").first.click()
    expect(drawer).to_be_visible()
    drawer.get_by_role("link", name="Orders", exact=True).click()
    expect(admin_page.get_by_role("table", name="Orders").get_by_text("Spring survey")).to_be_visible()
    expect(admin_page.get_by_role("button", name="Remove Owner: Lovelace, Ada")).to_be_visible()

    admin_page.goto("/facility/people?tab=departments&q=ocean")
    admin_page.get_by_role("link", name="1 person").click()
    expect(people.get_by_role("row")).to_have_count(2)
    ada = {"departmentId": "", "institution": ""}
    (found,) = admin.get("/api/admin/users", params={"q": RESEARCHER}).json()["users"]
    assert admin.patch(f"/api/admin/users/{found['id']}", json=ada).ok
    assert admin.delete(f"/api/admin/departments/{made['id']}").ok


def test_a_long_list_of_people_is_sorted_shown_by_pages_and_saved_whole(
    admin_page: Page, instance: LiveFacility
) -> None:
    with sqlite3.connect(instance.home / "seqfacility.db") as database:
        database.executemany(
            "INSERT INTO users (id, email, password_hash, first_name, last_name, role, is_active, is_demo,"
            " must_change_password, created_at, updated_at)"
            " VALUES (?, ?, '!', 'Many', ?, 'RESEARCHER', 1, 0, 0, ?, ?)",
            [(f"many{n:03}", f"many{n}@lab.test", f"Aa{n:03}", n, n) for n in range(150)],
        )
    database.close()
    admin_page.goto("/facility/people?q=many")
    expect(admin_page.get_by_text("100 of 150 rows")).to_be_visible()
    with admin_page.expect_download() as saved:
        admin_page.get_by_role("button", name="CSV of all 150 rows").click()
    assert len(Path(saved.value.path()).read_text().splitlines()) == 151

    admin_page.get_by_role("table", name="People").get_by_role("button", name="Name").click()

    expect(admin_page).to_have_url(re.compile("sort=name"))
    first = admin_page.get_by_role("table", name="People").get_by_role("row").nth(1)
    expect(first).to_contain_text("Many Aa000")
    admin_page.get_by_role("button", name="Show 50 more").click()
    expect(admin_page.get_by_text("150 rows", exact=True)).to_be_visible()
    with sqlite3.connect(instance.home / "seqfacility.db") as database:
        database.execute("DELETE FROM users WHERE id LIKE 'many%'")
    database.close()


def test_tokens_of_a_person_are_seen_and_revoked(admin_page: Page, instance: LiveFacility, web: Path) -> None:
    ada = instance.sign_in(RESEARCHER)
    body = {"name": "Night script", "scopes": ["orders:read"], "expiresInDays": 7}
    assert ada.post("/api/user/tokens", json=body).status_code == 201
    admin_page.goto("/facility/people?q=lovelace")
    open_person(admin_page, "Ada Lovelace")
    expect(admin_page.get_by_text("read orders")).to_be_visible()
    looks_right(admin_page, web)

    admin_page.get_by_role("button", name="Revoke the token Night script").click()
    admin_page.get_by_role("dialog", name="Revoke the token").get_by_role("button", name="Revoke").click()

    expect(admin_page.get_by_text("No tokens")).to_be_visible()
    assert ada.get("/api/user/tokens").json()["tokens"] == []


def test_an_invite_is_shown_once_and_listed(admin_page: Page, watch: Watch, web: Path) -> None:
    watch.expect("status of 400")
    admin_page.goto("/facility/people?tab=invites")
    expect(admin_page.get_by_text("No invites yet")).to_be_visible()
    admin_page.get_by_role("button", name="Invite").click()
    asked = admin_page.get_by_role("dialog", name="Invite to the facility's staff")
    asked.get_by_label("Email").fill("barbara@lab.test")
    asked.get_by_label("Days until it ends").fill("200")
    asked.get_by_role("button", name="Make invite").click()
    expect(asked.get_by_role("alert")).to_be_visible()
    asked.get_by_label("Days until it ends").fill("7")
    asked.get_by_role("button", name="Make invite").click()
    once = admin_page.get_by_role("dialog", name="The invite is made")
    expect(once.get_by_text("/invite#code=")).to_be_visible()
    admin_page.keyboard.press("Escape")
    looks_right(admin_page, web)
    admin_page.set_viewport_size({"width": 1280, "height": 900})
    once.get_by_role("button", name="Done").click()

    invites = admin_page.get_by_role("table", name="Invites")
    expect(invites.get_by_text("barbara@lab.test")).to_be_visible()
    looks_right(admin_page, web)
    admin_page.set_viewport_size({"width": 1280, "height": 900})
    invites.get_by_role("button", name="Invite barbara@lab.test again").click()
    asked = admin_page.get_by_role("dialog", name="Invite to the facility's staff")
    expect(asked.get_by_label("Email")).to_have_value("barbara@lab.test")
    admin_page.keyboard.press("Escape")
    admin_page.get_by_role("button", name="State", exact=True).click()
    admin_page.get_by_role("menuitemradio", name="Ended").click()
    expect(admin_page.get_by_text("No invite fits")).to_be_visible()
    admin_page.get_by_role("button", name="Remove State: Ended").click()
    invites.get_by_role("button", name="Delete the invite").click()
    admin_page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(admin_page.get_by_text("No invites yet")).to_be_visible()


def test_a_machine_is_made_and_its_token_works_until_it_is_deleted(
    admin_page: Page, watch: Watch, instance: LiveFacility, web: Path
) -> None:
    watch.expect("status of 400")
    admin_page.goto("/facility/people?tab=machines")
    admin_page.get_by_role("button", name="New machine").click()
    asked = admin_page.get_by_role("dialog", name="New machine")
    asked.get_by_label("Name").fill("NovaSeq, room 2")
    asked.get_by_label("Addresses").fill("not an address")
    asked.get_by_role("button", name="Make machine").click()
    expect(asked.get_by_role("alert")).to_be_visible()
    looks_right(admin_page, web)
    admin_page.set_viewport_size({"width": 1280, "height": 900})
    asked.get_by_label("Addresses").fill("127.0.0.0/8\n2001:db8::/32")
    asked.get_by_label("read orders").check()
    asked.get_by_role("button", name="Make machine").click()
    once = admin_page.get_by_role("dialog", name="The machine is made")
    token = once.locator("code").inner_text()
    once.get_by_role("button", name="Done").click()

    script = instance.sign_in()
    script.cookies.clear()
    script.headers["Authorization"] = f"Bearer {token}"
    assert script.get("/api/orders").status_code == 200
    machines = admin_page.get_by_role("table", name="Machines")
    expect(machines.get_by_text("NovaSeq, room 2")).to_be_visible()
    looks_right(admin_page, web)
    admin_page.set_viewport_size({"width": 1280, "height": 900})
    machines.get_by_role("button", name="Delete the machine NovaSeq, room 2").click()
    admin_page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(admin_page.get_by_text("No machines yet")).to_be_visible()
    assert script.get("/api/orders").status_code == 401


def test_a_department_is_made_changed_and_deleted(admin_page: Page, web: Path) -> None:
    admin_page.goto("/facility/people?tab=departments")
    admin_page.get_by_role("button", name="New department").click()
    asked = admin_page.get_by_role("dialog", name="New department")
    asked.get_by_label("Name").fill("Limnology")
    asked.get_by_role("button", name="Save").click()
    table = admin_page.get_by_role("table", name="Departments")
    table.get_by_role("button", name="Edit Limnology").click()
    asked = admin_page.get_by_role("dialog", name="Edit Limnology")
    asked.get_by_label("Description").fill("Lakes and ponds")
    asked.get_by_role("button", name="Save").click()

    expect(table.get_by_text("Lakes and ponds")).to_be_visible()
    looks_right(admin_page, web)
    admin_page.set_viewport_size({"width": 1280, "height": 900})
    table.get_by_role("button", name="Delete Limnology").click()
    admin_page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(admin_page.get_by_text("No departments yet")).to_be_visible()


def test_an_order_is_given_away_from_its_page(admin_page: Page, instance: LiveFacility, web: Path) -> None:
    order = submit_order(instance.sign_in(RESEARCHER), "Winter survey", 1)
    admin_page.goto(f"/orders/{order.number}")
    admin_page.get_by_role("button", name="More", exact=True).first.click()
    admin_page.get_by_role("menuitem", name="Give to another person").click()
    asked = admin_page.get_by_role("dialog", name="Give Winter survey to another person")
    asked.get_by_role("searchbox", name="Find a person").fill("hopper")
    expect(asked.get_by_role("radio")).to_have_count(1)
    looks_right(admin_page, web)
    asked.get_by_role("radio", name="Grace Hopper").check()
    asked.get_by_role("button", name="Give order").click()

    expect(admin_page.get_by_role("main").get_by_text("Grace Hopper").first).to_be_visible()
    assert instance.sign_in(OTHER_RESEARCHER).get(f"/api/orders/{order.id}").status_code == 200


def test_the_audit_shows_who_changed_what_from_what_to_what(
    admin_page: Page, instance: LiveFacility, web: Path
) -> None:
    admin = instance.sign_in()
    saved = {"siteName": "Core of the lake", "signInMaxFailures": 9}
    assert admin.patch("/api/admin/settings/access", json=saved).ok
    (grace,) = admin.get("/api/admin/users", params={"q": OTHER_RESEARCHER}).json()["users"]
    for role in ("FACILITY_ADMIN", "RESEARCHER"):
        assert admin.patch(f"/api/admin/users/{grace['id']}", json={"role": role}).ok
    admin_page.goto("/facility/audit")
    expect(admin_page.get_by_text("Chain intact")).to_be_visible()
    looks_right(admin_page, web)
    admin_page.set_viewport_size({"width": 1280, "height": 900})
    admin_page.get_by_role("button", name="Action", exact=True).click()
    menu = admin_page.get_by_role("dialog", name="Action")
    menu.get_by_role("searchbox", name="Find an action").fill("role")
    expect(menu.get_by_role("group")).to_have_count(1)
    looks_right(admin_page, web)
    admin_page.set_viewport_size({"width": 1280, "height": 900})
    admin_page.keyboard.press("ArrowDown")
    admin_page.keyboard.press("Enter")
    expect(admin_page).to_have_url(re.compile("action=role-changed"))
    rows = admin_page.get_by_role("table", name="Audit").get_by_role("row")
    expect(rows).to_have_count(3)

    rows.nth(1).get_by_role("link", name="Role changed").click()

    drawer = admin_page.get_by_role("dialog", name="Role changed")
    change = drawer.get_by_role("table").get_by_role("cell")
    expect(change).to_have_text(["FACILITY_ADMIN", "RESEARCHER"])
    expect(drawer.get_by_text(ADMIN)).to_be_visible()
    looks_right(admin_page, web)
    admin_page.set_viewport_size({"width": 1280, "height": 900})
    drawer.get_by_role("button", name="Everything by this person").click()
    expect(admin_page.get_by_role("button", name="Remove Person: Franklin, Rosalind")).to_be_visible()
    admin_page.get_by_role("link", name="Settings saved").click()
    drawer = admin_page.get_by_role("dialog", name="Settings saved")
    expect(drawer.get_by_role("row", name="siteName SeqFacility Core of the lake")).to_be_visible()
    expect(drawer.get_by_role("row", name="signInMaxFailures 10 9")).to_be_visible()
    looks_right(admin_page, web)
    drawer.get_by_role("button", name="Everything about this object").click()
    expect(admin_page).to_have_url(re.compile("object=access"))
    expect(rows).to_have_count(2)


def test_a_webhook_shows_its_secret_once_and_its_deliveries(
    admin_page: Page, instance: LiveFacility, web: Path
) -> None:
    admin_page.goto("/facility/webhooks")
    expect(admin_page.get_by_text("No webhooks yet")).to_be_visible()
    looks_right(admin_page, web)
    admin_page.set_viewport_size({"width": 1280, "height": 900})
    admin_page.get_by_role("button", name="New webhook").click()
    asked = admin_page.get_by_role("dialog", name="New webhook")
    asked.get_by_label("Address").fill("https://lims.example/hooks/seqfacility")
    asked.get_by_label("an order is submitted").check()
    asked.get_by_role("button", name="Make webhook").click()
    once = admin_page.get_by_role("dialog", name="The webhook is made")
    expect(once.get_by_text(re.compile("^whsec_"))).to_be_visible()
    once.get_by_role("button", name="Done").click()

    table = admin_page.get_by_role("table", name="Webhooks")
    table.get_by_role("link", name="https://lims.example").click()
    expect(admin_page.get_by_text("Nothing was sent yet")).to_be_visible()
    admin_page.keyboard.press("Escape")
    looks_right(admin_page, web)
    admin_page.set_viewport_size({"width": 1280, "height": 900})
    table.get_by_role("button", name="Delete the webhook").click()
    admin_page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    expect(admin_page.get_by_text("No webhooks yet")).to_be_visible()
    assert instance.sign_in().get("/api/admin/webhooks").json() == {"webhooks": []}


def test_mail_that_could_not_be_sent_is_sent_again(
    admin_page: Page, instance: LiveFacility, web: Path
) -> None:
    admin_page.goto("/facility/mail")
    expect(admin_page.get_by_text("All mail was sent")).to_be_visible()
    with sqlite3.connect(instance.home / "seqfacility.db") as database:
        database.execute(
            "INSERT INTO outgoing_mails (id, kind, address, facts, status, attempts, due_at, last_error,"
            " created_at, finished_at) VALUES ('m1', 'test', 'ada@lab.test', '{}', 'failed', 9, 1, "
            "'550 No such mailbox', 1, 1)"
        )
    database.close()

    admin_page.reload()

    expect(admin_page.get_by_text("550 No such mailbox")).to_be_visible()
    looks_right(admin_page, web)
    admin_page.set_viewport_size({"width": 1280, "height": 900})
    admin_page.get_by_role("button", name="Send again").click()
    expect(admin_page.get_by_text("1 mail waits to be sent")).to_be_visible()


def test_nobody_else_sees_the_facilitys_places(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    for place in ("people", "audit", "webhooks", "mail", "registry"):
        page.goto(f"/facility/{place}")
        expect(page.get_by_role("heading", level=1)).to_have_text("You can't see this")
