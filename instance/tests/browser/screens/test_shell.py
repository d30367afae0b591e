"""What stands around every screen, and the screens that need no order: found by name, walked by keyboard."""

import re
from http import HTTPStatus
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
from seqfacility_testkit.facility import ADMIN, OTHER_RESEARCHER, PASSWORD, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Viewer, Watch, axe, looks_right

INSTANCE = {"SEQFACILITY_DEMO": "1"}

FOR_ANYBODY = {
    "/sign-in": "Sign in",
    "/register": "Make an account",
    "/invite/CODE": "Accept your invitation",
    "/invite#code=CODE": "Accept your invitation",
    "/reset/TOKEN": "Set a new password",
    "/reset-password#token=TOKEN": "Set a new password",
    "/demo": "Look around",
    "/help": "Help",
    "/help/ordering": "Ordering sequencing",
    "/help/keys": "Keys",
    "/accessibility": "Accessibility",
}
FOR_WHO_IS_SIGNED_IN = {
    "/profile": "Profile",
    "/messages": "Messages",
    "/messages/new": "New message",
    "/notifications": "Notifications",
    "/no/such/place": "Not found",
}


@pytest.mark.parametrize(("email", "places"), [(None, FOR_ANYBODY), (RESEARCHER, FOR_WHO_IS_SIGNED_IN)])
def test_each_place_has_one_heading_and_no_finding(
    viewer: Viewer, web: Path, email: str | None, places: dict[str, str]
) -> None:
    page, _watch = viewer.open(email)

    for address, heading in places.items():
        page.goto(address)

        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        expect(page).to_have_title(re.compile(rf"^(\([0-9]+\) )?{heading} · SeqFacility$"))
        page.wait_for_load_state("networkidle" if email is None else "load")
        looks_right(page, web)


def test_who_signs_in_comes_back_to_the_place_that_was_asked_for(page: Page, watch: Watch) -> None:
    watch.expect("status of 401")
    page.goto("/messages?state=OPEN")
    expect(page).to_have_url("/sign-in?next=%2Fmessages%3Fstate%3DOPEN")
    page.get_by_role("textbox", name="Email").fill(RESEARCHER)
    page.get_by_role("textbox", name="Password").fill("not the password")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Invalid email or password")
    expect(page.get_by_role("alert")).to_be_focused()

    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.keyboard.press("Enter")

    expect(page).to_have_url("/messages?state=OPEN")
    expect(page.get_by_role("heading", name="Messages")).to_be_focused()


def test_a_session_that_ends_meanwhile_loses_nothing_that_was_typed(viewer: Viewer) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("status of 401")
    page.goto("/messages/new")
    page.get_by_role("textbox", name="Subject").fill("Second lane")
    page.get_by_role("textbox", name="Message").fill("Can lake-17 be sequenced again?")
    page.context.clear_cookies()

    page.get_by_role("button", name="Send").click()
    dialog = page.get_by_role("dialog", name="Your session has ended")
    expect(dialog.get_by_role("textbox", name="Password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Second lane")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Can lake-17 be sequenced again?")


def test_what_arrives_after_the_session_ended_takes_no_page_away(
    viewer: Viewer, instance: LiveFacility
) -> None:
    mine, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    ticket = mine.post("/api/tickets", json={"subject": "Kits", "body": "Which?"}).json()["ticket"]["id"]
    page, _watch = viewer.open(RESEARCHER)
    with page.expect_response("**/api/live*"):
        page.goto("/messages/new")
    page.get_by_role("textbox", name="Subject").fill("Second lane")
    page.context.clear_cookies()

    with page.expect_response("**/api/boot"):
        admin.post(f"/api/tickets/{ticket}/messages", json={"body": "This one"})

    expect(page.get_by_role("textbox", name="Subject")).to_have_value("Second lane")
    expect(page.get_by_role("button", name="Account")).to_be_visible()


def test_who_does_not_want_to_sign_in_again_is_told_and_not_asked_at_every_save(viewer: Viewer) -> None:
    page, watch = viewer.open(OTHER_RESEARCHER)
    watch.expect("status of 401")
    page.goto("/orders/new")
    name, saved = page.get_by_role("textbox", name="Order name"), page.get_by_role("status", name="Saved")
    name.fill("Two shores")
    expect(saved).to_contain_text("Saved ")
    page.context.clear_cookies()
    dialog = page.get_by_role("dialog", name="Your session has ended")
    bar = page.get_by_role("region", name="Notices")

    name.fill("Two shores of one lake")
    dialog.get_by_role("button", name="Cancel").click()
    expect(bar).to_contain_text("Your session has ended")
    with page.expect_response(lambda answer: answer.status == HTTPStatus.UNAUTHORIZED):
        name.fill("Two shores of a lake")
    expect(dialog).to_have_count(0)

    bar.get_by_role("button", name="Sign in").click()
    dialog.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(bar).not_to_contain_text("Your session has ended")
    expect(saved).to_contain_text("Saved ")
    page.reload()
    expect(name).to_have_value("Two shores of a lake")


def test_an_unsent_text_survives_a_reload_and_not_the_sign_out(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/messages/new")
    page.get_by_role("textbox", name="Subject").fill("Half a thought")
    page.reload()
    expect(page.get_by_role("textbox", name="Subject")).to_have_value("Half a thought")

    page.get_by_role("button", name="Account").click()
    page.get_by_role("menuitemradio", name="Dark").click()
    page.get_by_role("button", name="Account").click()
    page.get_by_role("menuitem", name="Sign out").click()
    dialog = page.get_by_role("dialog", name="Not everything is saved")
    dialog.get_by_role("button", name="Sign out and forget it").click()

    expect(page).to_have_url("/sign-in")
    assert page.evaluate("() => ({...localStorage})") == {
        "seqfacility:theme": "dark",
        "seqfacility:density": "normal",
    }


def test_go_to_and_the_account_menu_need_no_mouse(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/profile")
    expect(page.get_by_role("heading", name="Profile")).to_be_visible()

    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog", name="Go to").get_by_role("combobox")).to_be_focused()
    page.keyboard.type("notif")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Notifications")).to_be_focused()

    page.get_by_role("button", name="Account").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem", name="Profile")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Help")).to_be_focused()


def test_go_to_says_that_nothing_is_found_when_the_service_has_said_so(viewer: Viewer) -> None:
    page, _watch = viewer.open(RESEARCHER)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/search?*", hold)
    page.goto("/profile")
    expect(page.get_by_role("heading", name="Profile")).to_be_visible()
    page.keyboard.press("Control+k")
    dialog = page.get_by_role("dialog", name="Go to")

    with page.expect_request("**/api/search?q=nobodys"):
        dialog.get_by_role("combobox").fill("nobodys")
        expect(dialog.get_by_role("option")).to_have_count(0)
        expect(dialog.get_by_role("status")).to_be_empty()
    expect(dialog.get_by_role("status")).to_be_empty()
    held[0].fulfill(json={"results": []})

    expect(dialog.get_by_role("status")).to_have_text("Nothing has this name.")


def test_a_refused_form_names_the_request_when_no_field_is_to_blame(viewer: Viewer, web: Path) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("status of 500")
    refusal = {"error": "Internal server error"}
    headers = {"x-request-id": "4f0c9a7be21d5566"}
    page.route("**/api/tickets", lambda route: route.fulfill(status=500, json=refusal, headers=headers))
    page.goto("/messages/new")
    page.get_by_role("textbox", name="Subject").fill("Boxes")
    page.get_by_role("textbox", name="Message").fill("Where to?")
    page.get_by_role("button", name="Send").click()

    alert = page.get_by_role("alert")
    expect(alert).to_be_focused()
    expect(alert).to_contain_text("4f0c9a7be21d5566")
    expect(alert.get_by_role("button", name="Copy request")).to_be_visible()
    axe(page, web)


@pytest.mark.parametrize("taken", ["delete Navigator.prototype.clipboard", "/* nothing */"])
def test_a_code_is_copied_over_plain_http_too(viewer: Viewer, instance: LiveFacility, taken: str) -> None:
    order = instance.sign_in(RESEARCHER).post("/api/orders", json={"name": "Copied"}).json()["order"]
    page, _watch = viewer.open(RESEARCHER)
    other = page.context.new_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script(taken)
    page.goto(f"/orders/{order['orderNumber']}")

    page.get_by_role("button", name=f"Copy {order['orderNumber']}").first.click()

    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    other.bring_to_front()
    other.goto("/profile")
    assert other.evaluate("navigator.clipboard.readText()") == order["orderNumber"]


def test_what_the_browser_does_not_copy_is_selected_and_the_page_says_so(
    viewer: Viewer, instance: LiveFacility
) -> None:
    order = instance.sign_in(RESEARCHER).post("/api/orders", json={"name": "Not copied"}).json()["order"]
    page, _watch = viewer.open(RESEARCHER)
    page.add_init_script("delete Navigator.prototype.clipboard; document.execCommand = () => false;")
    page.goto(f"/orders/{order['orderNumber']}")

    page.get_by_role("button", name=f"Copy {order['orderNumber']}").first.click()

    expect(page.get_by_text("Not copied. The text is selected: press Ctrl C.")).to_be_visible()
    assert page.evaluate("getSelection().toString()") == order["orderNumber"]


def test_the_page_says_since_when_it_has_no_connection(viewer: Viewer) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("ERR_INTERNET_DISCONNECTED|net::")
    page.goto("/messages/new")
    expect(page.get_by_role("heading", name="New message")).to_be_visible()

    page.context.set_offline(True)

    expect(page.get_by_text("No connection since")).to_be_visible()
    page.get_by_role("textbox", name="Subject").fill("Still here")
    page.context.set_offline(False)
    expect(page.get_by_text("No connection since")).to_be_hidden()
    expect(page.get_by_role("textbox", name="Subject")).to_have_value("Still here")


@pytest.mark.parametrize(("button", "heading"), [("Try as researcher", "My work"), ("Try as admin", "Today")])
def test_a_visitor_of_the_demonstration_is_told_that_it_is_one(
    page: Page, web: Path, button: str, heading: str
) -> None:
    page.goto("/sign-in")

    page.get_by_role("button", name=button).click()

    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    expect(page.get_by_text("This is a demonstration.")).to_be_visible()
    axe(page, web)


def test_an_admins_page_asks_for_the_password_when_the_session_has_ended(viewer: Viewer) -> None:
    """An admin's routes may answer 403 without a session: that is told from a place that is not theirs."""
    page, watch = viewer.open(ADMIN)
    watch.expect("status of 40[13]")
    page.goto("/help")
    expect(page.get_by_role("heading", name="Help", exact=True)).to_be_visible()
    page.context.clear_cookies()

    page.get_by_role("navigation", name="Main").get_by_role("link", name="Today").click()
    dialog = page.get_by_role("dialog", name="Your session has ended")
    expect(dialog.get_by_role("textbox", name="Password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")

    expect(page.get_by_role("region", name="Waiting for you")).to_be_visible()
    expect(page.get_by_text("You can't see this")).to_have_count(0)


def test_after_a_new_release_the_page_loads_itself_again_once(viewer: Viewer) -> None:
    """The server has other files than the page knows: what was typed stays, the screen comes."""
    page, watch = viewer.open(RESEARCHER)
    watch.expect("status of 404|Failed to fetch dynamically imported module")
    page.goto("/messages/new")
    page.get_by_role("textbox", name="Subject").fill("Half a thought")
    asked: list[str] = []

    def gone(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=404, body="")

    scripts = re.compile(r"/assets/(?!start-|index-).*\.js$")
    page.route(scripts, gone, times=1)
    with page.expect_navigation(url=re.compile("/profile$"), wait_until="load"):
        page.get_by_role("button", name="Account").click()
        page.get_by_role("menuitem", name="Profile").click()

    expect(page.get_by_role("heading", name="Profile")).to_be_visible()
    assert len(asked) == 1
    page.goto("/messages/new")
    expect(page.get_by_role("textbox", name="Subject")).to_have_value("Half a thought")


def test_a_screen_that_never_comes_says_so_and_does_not_load_for_ever(viewer: Viewer) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("status of 404|Failed to fetch dynamically imported module")
    page.goto("/help")
    expect(page.get_by_role("heading", name="Help")).to_be_visible()
    page.route(
        re.compile(r"/assets/(?!start-|index-).*\.js$"), lambda route: route.fulfill(status=404, body="")
    )

    page.goto("/profile")

    expect(page.get_by_role("alert")).to_contain_text("The service can't be reached.")
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="Profile")).to_be_visible()


def test_who_has_no_orders_may_look_at_the_demonstration(viewer: Viewer, instance: LiveFacility) -> None:
    ada = instance.sign_in(RESEARCHER)
    for order in ada.get("/api/orders").json()["orders"]:
        assert ada.delete(f"/api/orders/{order['id']}").ok
    page, _watch = viewer.open(RESEARCHER)
    page.goto("/")

    page.get_by_role("link", name="Look at the demo order").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("Look around")
