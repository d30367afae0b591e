"""Every place for everybody: what is shown is what the API gives, and nobody asks for what is not theirs."""

import re
from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Page, Response, expect
from seqfacility_testkit.facility import ADMIN, OTHER_RESEARCHER, PASSWORD, RESEARCHER
from seqfacility_testkit.facility_places import FACILITY, known_to_the_facility
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import Delivered, fill_order, submit_order
from seqfacility_testkit.pages import Viewer
from seqfacility_testkit.waiting import wait_until

INSTANCE = {"SEQFACILITY_DEMO": "1"}

OUT_OF_REACH = "You can't see this"
OWN = ("/profile", "/notifications", "/messages/new", "/studies/new", "/orders/new")
LISTS = {"/orders": "orders", "/messages": "tickets", "/studies": "studies"}
RECORDS = {
    "/orders/{order}": "/api/orders/{order_id}",
    "/orders/{order_id}": "/api/orders/{order_id}",
    "/orders/{order}?tab=delivery": "/api/orders/{order_id}/sequencing/delivery",
    "/orders/new?order={draft}": "/api/orders/{draft_id}",
    "/messages/{ticket}": "/api/tickets/{ticket}",
    "/studies/{study}": "/api/studies/{study}",
    "/studies/{study}?tab=metadata": "/api/studies/{study}",
    "/runs/{run}": "/api/pipelines/runs/{run_id}",
    "/runs/{run_id}": "/api/pipelines/runs/{run_id}",
}
OF_ADMINS = {"/live": "/api/streams", **{place.address: place.reads for place in FACILITY}}
"""What all admins see, and nobody else."""
NAMES = {"/orders": "Adas sediment", "/messages": "Adas boxes", "/studies": "Adas soil"}
"""What stands in each list for those who see it."""


@dataclass
class Answers:
    """What the API answered a page: the paths that it refused."""

    refused: list[str] = field(default_factory=list)

    def __call__(self, answer: Response) -> None:
        path = urlsplit(answer.url).path
        if path.startswith("/api/") and answer.status >= 400:
            self.refused.append(f"{answer.status} {path}")


@pytest.fixture(scope="module")
def order(instance: LiveFacility) -> Delivered:
    ada = instance.sign_in(RESEARCHER)
    order = submit_order(ada, NAMES["/orders"], 1)
    fill_order(ada, instance.sign_in(), order, 5)
    return order


@pytest.fixture(scope="module")
def names(instance: LiveFacility, order: Delivered) -> dict[str, str]:
    """Return what is Ada's, by the names that addresses hold."""
    ada = instance.sign_in(RESEARCHER)
    draft = ada.post("/api/orders", json={"name": "Adas draft"}).json()["order"]
    asked = {"subject": NAMES["/messages"], "body": "Plates?"}
    made = {"pipelineId": "simulate-reads", "orderId": order.id}
    run = instance.sign_in().post("/api/pipelines/runs", json=made).json()["run"]
    return {
        **known_to_the_facility(ada, instance.sign_in()),
        "run": run["runNumber"],
        "run_id": run["id"],
        "order": order.number,
        "order_id": order.id,
        "draft": draft["orderNumber"],
        "draft_id": draft["id"],
        "ticket": ada.post("/api/tickets", json=asked).json()["ticket"]["id"],
        "study": ada.post("/api/studies", json={"title": NAMES["/studies"]}).json()["study"]["id"],
    }


def is_there(page: Page) -> str:
    """Wait until the page shows what it read, and return its heading."""
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_be_visible()
    expect(page.locator(".outline, [aria-busy=true]")).to_have_count(0)
    return heading.inner_text()


@pytest.mark.parametrize("email", [RESEARCHER, OTHER_RESEARCHER, ADMIN], ids=["owner", "other", "admin"])
def test_a_page_shows_what_the_api_gives(
    viewer: Viewer, instance: LiveFacility, names: dict[str, str], email: str
) -> None:
    page, watch = viewer.open(email)
    watch.expect(r"status of 40[34]")
    answers = Answers()
    page.on("response", answers)
    client = instance.sign_in(email)

    main = page.get_by_role("main")
    for address, pattern in (RECORDS | OF_ADMINS).items():
        path = pattern.format(**names)
        if client.get(path).ok:
            with page.expect_response(lambda answer, path=path: urlsplit(answer.url).path == path):
                page.goto(address.format(**names))
            is_there(page)
            expect(main.get_by_role("heading", name=OUT_OF_REACH)).to_have_count(0)
            assert answers.refused == [], address
        else:
            page.goto(address.format(**names))
            expect(main.get_by_role("heading", level=1, name=OUT_OF_REACH)).to_be_visible()
            expect(main.get_by_text("Adas")).to_have_count(0)
        answers.refused.clear()
    for address, key in LISTS.items():
        given = client.get(f"/api/{key}").json()[key]
        page.goto(address)
        is_there(page)
        shown = page.get_by_role("main").get_by_text(NAMES[address], exact=True)
        if given:
            expect(shown.first).to_be_visible()
        else:
            expect(shown).to_have_count(0)
    for address in ("/", *OWN):
        page.goto(address)
        assert is_there(page) not in {OUT_OF_REACH, "Not found"}
    assert answers.refused == []


def test_the_reads_of_an_order_are_for_the_facility(
    viewer: Viewer, instance: LiveFacility, names: dict[str, str]
) -> None:
    address = f"/orders/{names['order']}?tab=reads"
    owner, of_owner = viewer.open(RESEARCHER)
    admin, _watch = viewer.open(ADMIN)

    owner.goto(address)
    is_there(owner)
    admin.goto(address)
    is_there(admin)

    expect(owner.get_by_role("tab", name="Overview")).to_have_attribute("aria-selected", "true")
    expect(owner.get_by_role("tab", name="Reads")).to_have_count(0)
    assert not any("/sequencing" in asked for asked in of_owner.requests)
    assert not instance.sign_in(RESEARCHER).get(f"/api/orders/{names['order_id']}/sequencing").ok
    expect(admin.get_by_role("tab", name="Reads")).to_have_attribute("aria-selected", "true")
    expect(admin.get_by_role("table", name="Reads by sample")).to_contain_text("lake-01")


def test_nobody_is_led_to_the_sign_in_and_asks_for_nothing(viewer: Viewer, names: dict[str, str]) -> None:
    page, watch = viewer.open()

    for pattern in (*RECORDS, *LISTS, *OWN, "/facility/people"):
        address = pattern.format(**names)
        page.goto(address)
        expect(page).to_have_url(f"/sign-in?next={quote(address, safe='')}")
        assert is_there(page) == "Sign in"

    assert set(watch.requests) == {"GET /api/boot", "GET /api/auth/oidc"}


@pytest.mark.parametrize("role", ["researcher", "admin"])
def test_a_visitor_of_the_demonstration_sees_nothing_of_the_facility(
    viewer: Viewer, names: dict[str, str], role: str
) -> None:
    page, watch = viewer.open()
    watch.expect(r"status of 40[34]")
    answers = Answers()
    page.on("response", answers)
    page.goto("/demo")
    page.get_by_role("button", name=f"Try as {role}").click()
    expect(page.get_by_role("heading", level=1, name=re.compile("My work|Today"))).to_be_visible()

    for address in ("/", *LISTS, *OWN, *(OF_ADMINS if role == "admin" else ())):
        page.goto(address.format(**names))
        assert is_there(page) not in {OUT_OF_REACH, "Not found"}
        expect(page.get_by_text(re.compile("^Adas"))).to_have_count(0)
    # The person whom an address names is one of the facility, of whom the demonstration knows nothing.
    assert set(answers.refused) <= {f"404 /api/admin/users/{names['person']}"}
    for address in RECORDS:
        page.goto(address.format(**names))
        expect(page.get_by_role("heading", level=1)).to_have_text(OUT_OF_REACH)


def test_an_admin_whose_session_ended_is_asked_for_the_password_and_the_deed_is_done(
    viewer: Viewer, instance: LiveFacility, order: Delivered
) -> None:
    page, watch = viewer.open(ADMIN)
    watch.expect(r"status of 40[13]")
    page.goto(f"/orders/{order.number}?tab=delivery")
    is_there(page)
    release = page.get_by_role("button", name="Release 3 files", include_hidden=True)
    expect(release).to_be_visible()
    page.context.clear_cookies()
    # So the routes of admins answer without a session; what arrives meanwhile may ask for the password too.
    unauthorized = {"error": "Unauthorized"}
    page.route("**/publication", lambda route: route.fulfill(status=403, json=unauthorized), times=1)

    release.dispatch_event("click")
    dialog = page.get_by_role("dialog", name="Your session has ended")
    expect(dialog.get_by_label("Password")).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")

    expect(page.get_by_role("button", name="Take back")).to_be_visible()
    ada = instance.sign_in(RESEARCHER)
    wait_until(lambda: ada.get(order.delivery).json()["delivery"]["isPublished"], "the files are released")


def test_what_an_admin_may_not_is_no_end_of_the_session(
    viewer: Viewer, instance: LiveFacility, order: Delivered
) -> None:
    page, watch = viewer.open(ADMIN)
    watch.expect(r"status of 403")
    path = f"**/api/orders/{order.id}"
    page.route(path, lambda route: route.fulfill(status=403, json={"error": "Forbidden"}))

    with page.expect_response("**/api/auth/session") as asked:
        page.goto(f"/orders/{order.number}")
    assert is_there(page) == OUT_OF_REACH

    assert asked.value.json()["user"]["email"] == ADMIN
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.unroute_all(behavior="ignoreErrors")
