"""Every screen in every state that it can have: axe, console, policy, sideways scroll.

The states are those of `screen_states`; the facility's own screens are in `test_facility_screens.py`.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from seqfacility_testkit.facility import ADMIN, OTHER_RESEARCHER, RESEARCHER
from seqfacility_testkit.facility_places import FACILITY, Place
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_deliveries import fill_order, release_order, submit_order
from seqfacility_testkit.pages import Viewer, go_to
from seqfacility_testkit.screen_states import OUTAGE, Look, Refused, is_there, walk

INSTANCE = {"SEQFACILITY_DEMO": "1"}

OUT_OF_REACH = "You can't see this"

OF_ANYBODY = (
    *("/sign-in", "/sign-in?error=expired", "/forgotten-password"),
    *("/register", "/invite/NOCODE", "/reset/TOKEN", "/reset-password"),
    *("/help", "/help/ordering", "/accessibility", "/demo", "/no/such/place"),
)
WALKED = (
    Place("orders", "/orders", "Orders"),
    Place("draft", "/orders/new?order={draft}", "New order"),
    Place("order", "/orders/{waiting}", "Two shores of one lake"),
    Place("delivery", "/orders/{delivered}?tab=delivery", "Winter survey"),
    Place("messages", "/messages", "Messages"),
    Place("thread", "/messages/{ticket}", "Boxes"),
    Place("notifications", "/notifications", "Notifications"),
    Place("profile", "/profile", "Profile"),
    Place("studies", "/studies", "Studies"),
    Place("new study", "/studies/new", "New study"),
    Place("metadata", "/studies/{study}?tab=metadata", "Soil of two shores"),
    Place("runs", "/runs", "Runs"),
)
A_RUN = re.compile("^SIMULATE-READS-")
RUN = Place("run", "/runs/{run}", A_RUN)
FORM_OF_A_STUDY = Place("form of a study", "/facility/forms?study={study}", "Forms")
TABS_OF_RUN = tuple(
    Place(f"{tab} of a run", f"/runs/{{run}}?tab={tab}", A_RUN)
    for tab in ("tasks", "log", "evidence", "results", "files")
)
MY_WORK = Place("my work", "/", "My work")
TODAY = Place("today", "/", "Today")
READS = Place("reads", "/orders/{delivered}?tab=reads", "Winter survey")
SEEN = (
    Place("new order", "/orders/new", "New order"),
    Place("order of a draft", "/orders/{draft}", "Sediment cores"),
    Place("overview of a delivery", "/orders/{delivered}", "Winter survey"),
    Place("samples", "/orders/{delivered}?tab=samples", "Winter survey"),
    Place("analyses", "/orders/{delivered}?tab=analyses", "Winter survey"),
    Place("start of an analysis", "/orders/{delivered}?tab=analyses&start=reads-qc", "Winter survey"),
    Place("notes", "/orders/{delivered}?tab=notes", "Winter survey"),
    *(
        Place(f"{tab} of a profile", f"/profile?tab={tab}", "Profile")
        for tab in ("sessions", "tokens", "second-factor", "mail")
    ),
    Place("samples of a study", "/studies/{study}", "Soil of two shores"),
    Place("version of a study", "/studies/{study}?tab=version", "Soil of two shores"),
    Place("new message", "/messages/new?order={waiting_id}", "New message"),
    Place("no place", "/no/such/place", "Not found"),
    Place("no order", "/orders/ORD-20200101-0001", OUT_OF_REACH),
    Place("no study", "/studies/01m83jx3qfdpdwtn4gq87h8k4n", OUT_OF_REACH),
    Place("no conversation", "/messages/01m83jx3qfdpdwtn4gq87h8k4n", OUT_OF_REACH),
    Place("no orders found", "/orders?q=nothing-is-called-so", "Orders"),
    Place("no messages found", "/messages?state=CLOSED", "Messages"),
    Place("no run", "/runs/READS-QC-20200101-001", OUT_OF_REACH),
    Place("no runs found", "/runs?q=nothing-is-called-so", "Runs"),
    Place("no studies found", "/studies?q=nothing-is-called-so", "Studies"),
)


@pytest.fixture(scope="module")
def names(instance: LiveFacility) -> dict[str, str]:
    """Fill a facility as one in use, and return what addresses name of it."""
    ada, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    assert admin.post("/api/admin/sequencing-tech", json={"action": "reset"}).ok
    draft = ada.post("/api/orders", json={"name": "Sediment cores", "platform": "PACBIO"}).json()["order"]
    core = {"sampleAlias": "core-1", "taxId": "410658", "scientificName": "soil metagenome"}
    cores = ada.post(f"/api/orders/{draft['id']}/samples", json={"samples": [core]}).json()["samples"]
    waiting = submit_order(ada, "Two shores of one lake", 24)
    delivered = submit_order(ada, "Winter survey", 4)
    fill_order(ada, admin, delivered, 40)
    release_order(admin, delivered)
    note = {"noteType": "SAMPLES_SENT", "content": "Parcel 1Z-555 with dry ice, two boxes."}
    assert ada.post(f"/api/orders/{delivered.id}/notes", json=note).ok
    asked = {"subject": "Boxes", "body": "May we send plates? See https://example.org/plates."}
    ticket = ada.post("/api/tickets", json={**asked, "orderId": waiting.id}).json()["ticket"]["id"]
    assert admin.post(f"/api/tickets/{ticket}/messages", json={"body": "Yes, with foil."}).ok
    study = ada.post("/api/studies", json={"title": "Soil of two shores", "checklistType": "ERC000022"})
    study_id = study.json()["study"]["id"]
    chosen = {"sampleIds": [cores[0]["id"]]}
    assert ada.post(f"/api/studies/{study_id}/samples", json=chosen).ok
    wrong = {"id": cores[0]["id"], "checklistData": {"collection_date": "in spring"}}
    assert ada.put(f"/api/studies/{study_id}/samples", json={"samples": [wrong]}).ok
    return {
        "draft": draft["orderNumber"],
        "waiting": waiting.number,
        "waiting_id": waiting.id,
        "delivered": delivered.number,
        "ticket": ticket,
        "study": study_id,
        "run": made_run(admin, waiting.id),
    }


def made_run(admin: LiveClient, order_id: str) -> str:
    made = {"pipelineId": "simulate-reads", "orderId": order_id}
    answer = admin.post("/api/pipelines/runs", json=made)
    assert answer.ok, answer.text
    return str(answer.json()["run"]["runNumber"])


def test_of_somebody_who_is_not_signed_in(viewer: Viewer, web: Path) -> None:
    page, watch = viewer.open(reduced_motion="reduce")
    watch.expect(r"status of 4\d\d .*/api/invites/")
    look = Look(page, web)

    for address in OF_ANYBODY:
        page.goto(address)
        is_there(page, re.compile("."))
        look.at_state()


@pytest.mark.parametrize("place", [MY_WORK, *WALKED], ids=lambda place: place.name)
def test_every_state_of_a_researchers(viewer: Viewer, web: Path, names: dict[str, str], place: Place) -> None:
    page, watch = viewer.open(RESEARCHER, reduced_motion="reduce")

    walk(page, watch, web, place, names)


@pytest.mark.parametrize("place", [TODAY, RUN], ids=lambda place: place.name)
def test_every_state_of_an_admins(viewer: Viewer, web: Path, names: dict[str, str], place: Place) -> None:
    page, watch = viewer.open(ADMIN, reduced_motion="reduce")

    walk(page, watch, web, place, names)


def test_every_state_of_the_reads_of_an_order(viewer: Viewer, web: Path, names: dict[str, str]) -> None:
    page, watch = viewer.open(ADMIN, reduced_motion="reduce")

    walk(page, watch, web, READS, names)


@pytest.mark.parametrize("email", [RESEARCHER, ADMIN], ids=["researcher", "admin"])
def test_every_screen_of(viewer: Viewer, web: Path, names: dict[str, str], email: str) -> None:
    page, watch = viewer.open(email, reduced_motion="reduce")
    watch.expect(r"status of 404 .*/api/(tickets|studies|study-form-schema)")
    look = Look(page, web)

    for place in (*SEEN, *((*WALKED, RUN, *TABS_OF_RUN, FORM_OF_A_STUDY) if email == ADMIN else ())):
        page.goto(place.address.format(**names))
        is_there(page, place.heading)
        look.at_state()


def test_what_belongs_to_somebody_else(viewer: Viewer, web: Path, names: dict[str, str]) -> None:
    page, watch = viewer.open(OTHER_RESEARCHER, reduced_motion="reduce")
    watch.expect(r"status of 40[34] .*/api/(orders|tickets|studies|study-form-schema)")
    look = Look(page, web)
    addresses = ("/orders/{waiting}", "/orders/{waiting_id}", "/messages/{ticket}", "/studies/{study}")

    for address in (*addresses, "/orders/new?order={draft}"):
        page.goto(address.format(**names))
        is_there(page, OUT_OF_REACH)
        expect(page.get_by_text("It belongs to somebody else, or it doesn't exist.")).to_be_visible()
        look.at_state()


@pytest.mark.parametrize(("role", "start"), [("researcher", MY_WORK), ("admin", TODAY)])
def test_of_a_visitor_of_the_demonstration(viewer: Viewer, web: Path, role: str, start: Place) -> None:
    page, watch = viewer.open(reduced_motion="reduce")
    watch.expect(r"status of (401|403|404)")
    look = Look(page, web)
    page.goto("/demo")
    page.get_by_role("button", name=f"Try as {role}").click()
    is_there(page, start.heading)
    look.at_screen()

    places = [place for place in (*WALKED, *SEEN) if "{" not in place.address]
    if role == "admin":
        places += [place for place in FACILITY if "{" not in place.address]
    for place in places:
        go_to(page, place.address)
        is_there(page, place.heading)
        expect(page.get_by_text("This is a demonstration.")).to_be_visible()
        look.at_state()
    page.goto("/orders")
    page.get_by_role("link", name=re.compile("^ORD-")).first.click()
    for tab in ("Samples", "Analyses", "Delivery", "Notes", "Overview"):
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
        is_there(page, re.compile("."))
        look.at_state()

    page.context.clear_cookies()
    page.get_by_role("link", name="Messages").first.click()
    dialog = page.get_by_role("dialog", name="This demonstration is over")
    expect(dialog).to_be_visible()
    look.at_state()
    dialog.get_by_role("button", name="Start again").click()
    is_there(page, start.heading)


def test_a_page_that_cannot_start_says_so(viewer: Viewer, web: Path) -> None:
    page, watch = viewer.open(RESEARCHER, reduced_motion="reduce")
    watch.expect("status of 500")
    page.route("**/api/boot", Refused())

    page.goto("/orders")
    expect(page.get_by_role("alert")).to_contain_text(OUTAGE)
    Look(page, web).at_screen()
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("button", name="Try again").click()

    is_there(page, "Orders")
