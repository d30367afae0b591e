"""The researcher's screens: every state readable by everybody, and what stands in their addresses."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect
from seqfacility_schemas.examples import examples
from seqfacility_testkit.facility import ADMIN, OTHER_RESEARCHER, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_deliveries import Delivered, fill_order, release_order, submit_order
from seqfacility_testkit.pages import WIDTHS, Viewer, Watch, axe, looks_right, no_horizontal_scroll

FORMULA = "=HYPERLINK(1)"
"""The name of an order that a spreadsheet would run."""

A_RUN = examples("instance/pipeline-runs")[0].document["runs"][0]

PREVIEWS_SAY_WEBRTC = r"directive 'webrtc'"
"""Chromium does not know it yet; the policy of a report names it all the same."""


@pytest.fixture(scope="module")
def waiting(instance: LiveFacility) -> Delivered:
    return submit_order(instance.sign_in(RESEARCHER), FORMULA, 30)


@pytest.fixture(scope="module")
def delivered(instance: LiveFacility) -> Delivered:
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    order = submit_order(researcher, "Two shores of one lake", 3)
    fill_order(researcher, admin, order, 20)
    release_order(admin, order)
    return order


def open_order(page: Page, order: Delivered, tab: str = "overview") -> None:
    page.goto(f"/orders/{order.number}?tab={tab}")
    expect(page.get_by_role("tab", selected=True)).to_have_text(re.compile(tab, re.IGNORECASE))
    expect(page.get_by_role("tabpanel").get_by_text("Loading")).to_have_count(0)


@pytest.mark.parametrize("email", [RESEARCHER, ADMIN])
def test_no_screen_has_a_finding_or_scrolls_sideways(
    viewer: Viewer, web: Path, delivered: Delivered, waiting: Delivered, email: str
) -> None:
    page, _watch = viewer.open(email)
    start = "Today" if email == ADMIN else "My work"

    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text(start)
    expect(
        page.get_by_role("region", name="Waiting for you").or_(page.get_by_role("table")).first
    ).to_be_visible()
    looks_right(page, web)

    page.goto("/orders")
    expect(page.get_by_role("link", name=waiting.number)).to_be_visible()
    looks_right(page, web)

    for order in (waiting, delivered):
        for tab in ("overview", "samples", "analyses", "delivery", "notes"):
            open_order(page, order, tab)
            looks_right(page, web)


@pytest.mark.parametrize("button", ["On a cluster", "Check a folder"])
@pytest.mark.parametrize("width", WIDTHS)
def test_the_dialogs_of_a_delivery_have_no_finding(
    viewer: Viewer, web: Path, delivered: Delivered, width: int, button: str
) -> None:
    page, _watch = viewer.open(RESEARCHER, width=width)
    open_order(page, delivered, "delivery")

    page.get_by_role("button", name=button).click()
    expect(page.get_by_role("dialog")).to_be_visible()

    axe(page, web)
    no_horizontal_scroll(page)


def test_an_order_is_found_by_its_id_too_and_shows_its_number(
    researcher_page: Page, delivered: Delivered
) -> None:
    researcher_page.goto(f"/orders/{delivered.id}?tab=notes")

    expect(researcher_page).to_have_url(re.compile(rf"/orders/{delivered.number}\?tab=notes$"))


@pytest.mark.parametrize("address", ["number", "id"])
def test_somebody_elses_order_cannot_be_seen(viewer: Viewer, delivered: Delivered, address: str) -> None:
    page, watch = viewer.open(OTHER_RESEARCHER)
    watch.expect(r"status of 40[34]")

    page.goto(f"/orders/{getattr(delivered, address)}")

    expect(page.get_by_role("heading", level=1)).to_have_text("You can't see this")


def test_a_filter_is_part_of_the_address_and_survives_reload(
    researcher_page: Page, delivered: Delivered, waiting: Delivered
) -> None:
    researcher_page.goto("/orders")
    researcher_page.get_by_role("button", name="Stage").click()
    researcher_page.get_by_role("menuitemradio", name="Delivered").click()
    expect(researcher_page.get_by_role("link", name=waiting.number)).to_have_count(0)

    researcher_page.reload()

    expect(researcher_page).to_have_url(re.compile("stage=DELIVERED"))
    expect(researcher_page.get_by_role("link", name=delivered.number)).to_be_visible()
    expect(researcher_page.get_by_role("link", name=waiting.number)).to_have_count(0)


def test_filters_that_are_on_are_taken_off_one_by_one_or_all(
    researcher_page: Page, delivered: Delivered, waiting: Delivered
) -> None:
    researcher_page.goto("/orders?stage=DELIVERED&platform=ILLUMINA&from=2020-01-31")
    filters = researcher_page.get_by_role("list", name="Filters")
    expect(filters).to_contain_text("Begun: since 31 Jan 2020")

    filters.get_by_role("button", name="Remove Stage: Delivered").click()

    expect(researcher_page.get_by_role("link", name=waiting.number)).to_be_visible()
    expect(filters.get_by_role("button", name="Remove Platform: Illumina")).to_be_focused()
    filters.get_by_role("button", name="Clear all").click()
    expect(researcher_page).to_have_url(re.compile(r"/orders$"))
    expect(researcher_page.get_by_role("searchbox", name="Search orders")).to_be_focused()


def test_orders_are_narrowed_to_the_days_on_which_they_were_begun(
    researcher_page: Page, web: Path, delivered: Delivered
) -> None:
    researcher_page.goto("/orders")
    researcher_page.get_by_role("button", name="Begun").click()
    days = researcher_page.get_by_role("dialog", name="Begun")
    axe(researcher_page, web)

    days.get_by_label("To").fill("2020-01-31")
    expect(researcher_page.get_by_text("No order fits these filters")).to_be_visible()
    days.get_by_role("button", name="Last 7 days").click()

    expect(researcher_page.get_by_role("link", name=delivered.number)).to_be_visible()
    expect(researcher_page).to_have_url(re.compile(r"from=\d{4}-\d\d-\d\d$"))


def test_the_columns_that_somebody_chose_are_remembered(researcher_page: Page, delivered: Delivered) -> None:
    researcher_page.goto("/orders")
    platform = researcher_page.get_by_role("columnheader", name="Platform")
    expect(platform).to_be_visible()

    researcher_page.get_by_role("button", name="Columns").click()
    researcher_page.get_by_role("menuitemcheckbox", name="Platform").click()
    researcher_page.get_by_role("menuitemcheckbox", name="Begun").click()
    researcher_page.reload()

    expect(researcher_page.get_by_role("columnheader", name="Begun")).to_be_visible()
    expect(platform).to_have_count(0)


def test_an_order_is_searched_and_opened_with_the_keyboard(
    researcher_page: Page, delivered: Delivered, waiting: Delivered
) -> None:
    researcher_page.goto("/orders")
    expect(researcher_page.get_by_role("link", name=waiting.number)).to_be_visible()
    researcher_page.get_by_role("searchbox", name="Search orders").fill(delivered.number)
    expect(researcher_page.get_by_role("link", name=waiting.number)).to_have_count(0)

    researcher_page.get_by_role("row", name=delivered.number).focus()
    researcher_page.keyboard.press("j")
    researcher_page.keyboard.press("k")
    researcher_page.keyboard.press("Enter")

    expect(researcher_page.get_by_role("heading", level=1)).to_have_text("Two shores of one lake")


def test_chosen_orders_are_saved_alone(
    researcher_page: Page, delivered: Delivered, waiting: Delivered
) -> None:
    researcher_page.goto("/orders")
    save = researcher_page.get_by_role("button", name="CSV of chosen")
    expect(save).to_have_attribute("aria-disabled", "true")
    researcher_page.get_by_role("checkbox", name=f"Choose {delivered.number}").check()
    expect(researcher_page.get_by_role("button", name="Change stage")).to_have_count(0)

    with researcher_page.expect_download() as saving:
        save.click()

    lines = Path(saving.value.path()).read_text("utf-8-sig").splitlines()
    assert [line.split(",")[0] for line in lines] == ["Number", delivered.number]


def test_an_admin_accepts_several_orders_and_is_told_which_could_not_be(
    admin_page: Page, watch: Watch, web: Path, instance: LiveFacility, delivered: Delivered
) -> None:
    researcher = instance.sign_in(RESEARCHER)
    fine, refused = (submit_order(researcher, name, 1) for name in ("North shore", "South shore"))
    watch.expect("status of 500")
    notes = f"**/api/orders/{refused.id}/notes"
    admin_page.route(notes, lambda route: route.fulfill(status=500, json={"error": "The disk is full"}))
    admin_page.goto("/orders")
    for order in (fine, refused, delivered):
        admin_page.get_by_role("checkbox", name=f"Choose {order.number}").check()
    axe(admin_page, web)
    admin_page.get_by_role("button", name="Change stage").click()
    admin_page.get_by_role("menuitem", name="Accept 2 orders").click()
    dialog = admin_page.get_by_role("dialog", name="Accept 2 orders")
    expect(dialog).to_contain_text("North shore")
    expect(dialog).to_contain_text("South shore")

    dialog.get_by_role("button", name="Accept 2 orders").click()

    chosen = admin_page.get_by_role("region", name="Chosen orders")
    expect(chosen.get_by_role("status")).to_have_text("Order accepted. 1 of 2 orders.")
    expect(chosen.get_by_role("listitem")).to_have_text("South shore: The disk is full")
    expect(chosen).to_contain_text("1 order chosen")
    expect(admin_page.get_by_role("checkbox", name=f"Choose {refused.number}")).to_be_checked()
    step = researcher.get(f"/api/orders/{fine.id}").json()["order"]["next"]["what"]
    assert step == "SEND_SAMPLES"


@pytest.mark.parametrize(("address", "valley"), [("/", "upper"), ("/orders", "lower")])
def test_a_phone_shows_the_number_and_the_next_step_below_the_name(
    viewer: Viewer, instance: LiveFacility, address: str, valley: str
) -> None:
    name = f"Cold springs of the {valley} valley, and what lives in them"
    order = submit_order(instance.sign_in(RESEARCHER), name, 1)
    page, _watch = viewer.open(RESEARCHER, width=390)
    page.goto(address)

    row = page.get_by_role("row").filter(has_text=name)

    shown = "Facility looks at it" if address == "/" else order.number
    expect(row.get_by_text(shown).locator("visible=true")).to_be_visible()
    box = row.bounding_box()
    assert box is not None
    assert box["height"] < 120


def test_the_overview_of_an_order_tells_of_its_analyses(researcher_page: Page, delivered: Delivered) -> None:
    open_order(researcher_page, delivered)
    card = researcher_page.get_by_role("region", name="Analyses")
    expect(card).to_contain_text("No results yet")

    card.get_by_role("link", name="Analyses").click()

    expect(researcher_page.get_by_role("tab", name="Analyses")).to_have_attribute("aria-selected", "true")


def test_the_newest_analysis_stands_beside_the_plate(
    admin_page: Page, web: Path, delivered: Delivered
) -> None:
    run = A_RUN | {"status": "running", "progress": 40, "failure": None}
    answer = {"runs": [run], "total": 3, "limit": 1, "offset": 0}
    admin_page.route("**/api/pipelines/runs?*", lambda route: route.fulfill(json=answer))

    open_order(admin_page, delivered)

    card = admin_page.get_by_role("region", name="Analyses")
    expect(card).to_contain_text("3 analyses")
    expect(card).to_contain_text("Running, 40 %")
    expect(card).to_contain_text(run["pipelineName"])
    axe(admin_page, web)


@pytest.mark.parametrize("address", ["/", "/orders", "/orders/{}"])
def test_a_page_that_is_not_read_any_more_says_since_when(
    researcher_page: Page, watch: Watch, delivered: Delivered, address: str
) -> None:
    watch.expect("ERR_INTERNET_DISCONNECTED")
    watch.expect("ERR_FAILED")
    researcher_page.clock.install()
    researcher_page.goto(address.format(delivered.number))
    main = researcher_page.get_by_role("main")
    expect(main.get_by_text(re.compile(r"as of \d\d:\d\d:\d\d"))).to_be_visible()

    researcher_page.context.set_offline(True)
    researcher_page.clock.run_for(150_000)

    expect(main.get_by_text(re.compile(r"Not updated since \d\d:\d\d:\d\d\."))).to_be_visible()
    researcher_page.context.set_offline(False)


def test_a_list_that_is_saved_runs_no_formula(researcher_page: Page, waiting: Delivered) -> None:
    researcher_page.goto("/orders")
    expect(researcher_page.get_by_role("link", name=waiting.number)).to_be_visible()

    with researcher_page.expect_download() as saving:
        researcher_page.get_by_role("button", name="CSV of what is shown").click()

    lines = Path(saving.value.path()).read_text("utf-8-sig").splitlines()
    assert any(f",'{FORMULA}," in line for line in lines), lines


@pytest.mark.parametrize(
    ("tab", "link", "ending"),
    [
        ("samples", "Samples as Excel", ".xlsx"),
        ("samples", "Samples as CSV", ".csv"),
        ("delivery", "Download all", ".zip"),
        ("delivery", "checksums.md5", ".md5"),
    ],
)
def test_what_the_service_sends_is_saved_and_the_page_stays(
    researcher_page: Page, delivered: Delivered, tab: str, link: str, ending: str
) -> None:
    open_order(researcher_page, delivered, tab)

    with researcher_page.expect_download() as saving:
        researcher_page.get_by_role("link", name=link).click()

    assert saving.value.suggested_filename.endswith(ending)
    assert saving.value.failure() is None
    expect(researcher_page.get_by_role("tab", selected=True)).to_have_text(re.compile(tab, re.IGNORECASE))


def test_a_state_of_the_legend_narrows_the_table(admin_page: Page, waiting: Delivered) -> None:
    open_order(admin_page, waiting)
    table = admin_page.get_by_role("table", name="Samples")
    expect(table.get_by_role("row")).to_have_count(31)

    admin_page.get_by_role("group", name="Plate").get_by_role("button", name="Problem 0").click()

    expect(admin_page.get_by_text("No sample fits")).to_be_visible()
    expect(admin_page).to_have_url(re.compile("state=problem"))


def test_many_samples_come_by_pages_and_only_where_they_are_shown(
    researcher_page: Page, instance: LiveFacility
) -> None:
    order = submit_order(instance.sign_in(RESEARCHER), "Wells", 450)
    asked: list[str] = []
    researcher_page.on("request", lambda request: "/samples" in request.url and asked.append(request.url))
    open_order(researcher_page, order, "notes")
    open_order(researcher_page, order, "delivery")
    assert asked == []

    open_order(researcher_page, order, "samples")
    pages = researcher_page.get_by_role("navigation", name="Pages")
    expect(pages).to_contain_text("1 to 200 of 450")
    pages.get_by_role("button", name="Next").click()
    expect(researcher_page.get_by_role("cell", name="lake-201")).to_be_visible()
    # A hint of the feed that comes late reads what is shown again, and no other page.
    pages_read = [url.split("?")[1] for url in asked]
    assert list(dict.fromkeys(pages_read)) == ["page=1&pageSize=200", "page=2&pageSize=200"]

    asked.clear()
    note = {"noteType": "ORDER_ACCEPTED", "content": "Accepted."}
    assert instance.sign_in().post(f"/api/orders/{order.id}/notes", json=note).ok
    expect(researcher_page.get_by_role("region", name="Next step")).to_contain_text("Your turn")
    expect(researcher_page.get_by_role("cell", name="lake-201")).to_be_visible()
    assert {url.split("?")[1] for url in asked} <= {"page=2&pageSize=200"}

    researcher_page.get_by_role("searchbox", name="Search samples").fill("lake-445")
    table = researcher_page.get_by_role("table", name="Samples")
    expect(table.get_by_role("row")).to_have_count(2)
    researcher_page.reload()
    expect(table.get_by_role("row")).to_have_count(2)


def test_the_overview_of_many_samples_has_a_map_of_their_states_and_pages(
    researcher_page: Page, web: Path, instance: LiveFacility
) -> None:
    order = submit_order(instance.sign_in(RESEARCHER), "More wells", 400)

    open_order(researcher_page, order)

    plate = researcher_page.get_by_role("group", name="Plate")
    expect(plate.get_by_role("button", name="Not yet delivered 400")).to_be_visible()
    expect(researcher_page.get_by_role("navigation", name="Pages")).to_contain_text("1 to 200 of 400")
    axe(researcher_page, web)
    plate.get_by_role("button", name="Delivered 0", exact=True).click()
    expect(researcher_page.get_by_text("No sample fits")).to_be_visible()


def test_the_slip_of_another_tab_has_all_samples(researcher_page: Page, instance: LiveFacility) -> None:
    order = submit_order(instance.sign_in(RESEARCHER), "Box", 5)
    open_order(researcher_page, order, "notes")
    researcher_page.evaluate("window.print = () => { window.printed = true; }")

    researcher_page.get_by_role("button", name="Print packing slip").click()

    researcher_page.wait_for_function("() => window.printed")
    researcher_page.emulate_media(media="print")
    shown = researcher_page.evaluate("document.body.innerText")
    assert [code for code in order.sample_codes if code not in shown] == []


def test_whose_turn_it_is_moves_between_the_facility_and_the_researcher(
    viewer: Viewer, instance: LiveFacility
) -> None:
    order = submit_order(instance.sign_in(RESEARCHER), "Sediment", 2)
    theirs, _watch = viewer.open(ADMIN)
    mine, _mine = viewer.open(RESEARCHER)
    open_order(mine, order)
    expect(mine.get_by_role("region", name="Next step")).to_contain_text("The facility's turn")

    open_order(theirs, order)
    theirs.get_by_role("button", name="Accept order").click()
    expect(mine.get_by_role("region", name="Next step")).to_contain_text("Your turn")
    mine.get_by_role("button", name="Samples are sent").click()
    mine.get_by_role("dialog").get_by_role("textbox").fill("Parcel 1Z-555")
    mine.get_by_role("dialog").get_by_role("button", name="Say that they are sent").click()

    expect(mine.get_by_role("region", name="Next step")).to_contain_text("The facility's turn")
    expect(theirs.get_by_role("button", name="Samples arrived")).to_be_visible()
    theirs.get_by_role("button", name="Samples arrived").click()
    expect(theirs.get_by_role("listitem").filter(has_text="Sequenced")).to_have_attribute(
        "aria-current", "step"
    )


def test_a_question_is_about_the_order_it_was_opened_for_or_about_none(
    researcher_page: Page, instance: LiveFacility, delivered: Delivered, waiting: Delivered
) -> None:
    page, researcher = researcher_page, instance.sign_in(RESEARCHER)
    page.goto(f"/messages/new?order={delivered.id}")
    page.get_by_role("textbox", name="Subject").fill("Left over")
    open_order(page, waiting)
    page.get_by_role("main").get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Ask about this order").click()

    about = page.get_by_role("combobox", name="About order")
    expect(about).to_have_value(waiting.id)
    about.select_option(label="No order")
    page.reload()
    expect(about).to_have_value("")
    page.get_by_role("textbox", name="Message").fill("Which tubes do you take?")
    page.get_by_role("button", name="Send").click()

    expect(page.get_by_role("heading", name="Left over")).to_be_visible()
    (ticket,) = [
        one for one in researcher.get("/api/tickets").json()["tickets"] if one["subject"] == "Left over"
    ]
    assert ticket["orderId"] is None


def test_an_order_beyond_the_list_can_be_asked_about(
    researcher_page: Page, instance: LiveFacility, waiting: Delivered
) -> None:
    page, researcher = researcher_page, instance.sign_in(RESEARCHER)
    page.route("**/api/orders?limit=100", lambda route: route.fulfill(json={"orders": [], "total": 0}))
    page.goto(f"/messages/new?order={waiting.id}")

    expect(page.get_by_role("combobox", name="About order").locator("option:checked")).to_contain_text(
        waiting.number
    )
    page.get_by_role("textbox", name="Subject").fill("Long ago")
    page.get_by_role("textbox", name="Message").fill("Which tubes did you take?")
    page.get_by_role("button", name="Send").click()

    expect(page.get_by_role("heading", name="Long ago")).to_be_visible()
    (ticket,) = [
        one for one in researcher.get("/api/tickets").json()["tickets"] if one["subject"] == "Long ago"
    ]
    assert ticket["orderId"] == waiting.id


ASKED = ("platform", "libraryStrategy", "librarySource", "customFields")
SAID = ("sampleAlias", "scientificName", "taxId", "checklistData", "checklistUnits", "customFields")


@pytest.fixture(scope="module")
def answered(instance: LiveFacility) -> Delivered:
    """Return a draft with answers of every kind, of the order, of its samples, and of their checklist."""
    researcher = instance.sign_in(RESEARCHER)
    asked = {"platform": "ILLUMINA", "libraryStrategy": "WGS", "librarySource": "METAGENOMIC"}
    answers = {"description": "Two depths", "librarySelection": "RANDOM"}
    body = {"name": "Depths of a lake", **asked, "customFields": answers}
    order = researcher.post("/api/orders", json=body).json()["order"]
    offered = researcher.get("/api/form-schema").json()["enabledMixsChecklists"]
    rows = [
        {
            "sampleAlias": f"depth-{metres}",
            "scientificName": "freshwater metagenome",
            "taxId": "449393",
            "checklistData": {"depth": str(metres), "elev": "12"},
            "checklistUnits": {"depth": "m"},
            "customFields": {"sampleTitle": f"{metres} metres", "volumeUl": 12.5},
        }
        for metres in (1, 20)
    ]
    chosen = {"checklists": offered[:1], "selectedFields": ["depth", "elev"]}
    saved = researcher.post(f"/api/orders/{order['id']}/samples", json={"samples": rows, "sampleset": chosen})
    assert saved.ok, saved.text
    return Delivered(order["id"], order["orderNumber"], (), {})


def order_again(page: Page, order: Delivered) -> None:
    open_order(page, order)
    page.get_by_role("main").get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Order again").click()


def test_an_order_is_ordered_again_with_all_that_it_asks_for(
    researcher_page: Page, instance: LiveFacility, answered: Delivered
) -> None:
    order_again(researcher_page, answered)

    expect(researcher_page).to_have_url(re.compile(r"/orders/new\?order=ORD-"))
    researcher = instance.sign_in(RESEARCHER)
    number = researcher_page.url.split("order=")[1]
    found = researcher.get(f"/api/orders?q={number}").json()["orders"][0]
    again, before = (
        researcher.get(f"/api/orders/{one}").json()["order"] for one in (found["id"], answered.id)
    )
    samples, old = (researcher.get(f"/api/orders/{one['id']}/samples").json() for one in (again, before))
    assert (again["status"], again["name"]) == ("DRAFT", "Depths of a lake (again)")
    assert {key: again[key] for key in ASKED} == {key: before[key] for key in ASKED}
    assert [{key: row[key] for key in SAID} for row in samples["samples"]] == [
        {key: row[key] for key in SAID} for row in old["samples"]
    ]
    assert [row["checklistUnits"] for row in samples["samples"]] == [{"depth": "m"}] * 2
    for key in ("checklists", "selectedFields", "fieldOverrides", "sampleType"):
        assert samples["sampleset"][key] == old["sampleset"][key]


@pytest.mark.parametrize("is_cut", [False, True], ids=["refused", "connection lost"])
def test_an_order_that_could_not_be_ordered_again_leaves_no_empty_draft(
    viewer: Viewer, instance: LiveFacility, answered: Delivered, is_cut: bool
) -> None:
    page, watch = viewer.open(RESEARCHER)
    watch.expect("status of 500|ERR_FAILED")
    researcher = instance.sign_in(RESEARCHER)
    before = researcher.get("/api/orders").json()["total"]

    def refuse(route: Route) -> None:
        if route.request.method == "POST" and not is_cut:
            route.fulfill(status=500, json={"error": "Something went wrong"})
        elif route.request.method in {"POST", "DELETE"} and is_cut:
            route.abort()
        else:
            route.continue_()

    samples = re.compile(r"/api/orders/[^/]+(/samples(\?.*)?)?$")
    page.route(samples, refuse)
    order_again(page, answered)
    expect(page.get_by_role("alert")).to_be_visible()
    assert researcher.get("/api/orders").json()["total"] == before + is_cut

    page.unroute_all()
    page.get_by_role("main").get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Order again").click()
    expect(page).to_have_url(re.compile(r"/orders/new\?order=ORD-"))
    assert researcher.get("/api/orders").json()["total"] == before + 1


def test_an_admin_releases_takes_back_and_undoes_that_with_the_keyboard(
    admin_page: Page, instance: LiveFacility
) -> None:
    researcher = instance.sign_in(RESEARCHER)
    order = submit_order(researcher, "Meltwater", 1)
    fill_order(researcher, instance.sign_in(), order, 5)
    open_order(admin_page, order, "delivery")

    admin_page.get_by_role("button", name="Release 3 files").click()
    admin_page.get_by_role("button", name="Take back").click()

    expect(admin_page.get_by_role("button", name="Release 3 files")).to_be_visible()
    assert researcher.get(order.delivery).json()["delivery"]["isPublished"] is False

    undo = admin_page.get_by_role("status", name="Messages from the page").get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    admin_page.keyboard.press("F8")
    expect(undo).to_be_focused()
    admin_page.keyboard.press("Enter")
    expect(admin_page.get_by_role("button", name="Take back")).to_be_visible()
    assert researcher.get(order.delivery).json()["delivery"]["isPublished"] is True


def test_a_report_runs_in_a_frame_of_its_own(
    researcher_page: Page, watch: Watch, delivered: Delivered
) -> None:
    watch.expect(PREVIEWS_SAY_WEBRTC)
    open_order(researcher_page, delivered, "delivery")

    researcher_page.get_by_role("link", name="Show multiqc_report.html").click()

    report = researcher_page.frame_locator("iframe[title='Report multiqc_report.html']")
    expect(report.get_by_text("Script ran.")).to_be_visible()
    frame = researcher_page.frames[-1]
    assert frame.evaluate("origin") == "null"


def test_a_folder_is_compared_with_the_list_file_by_file(
    researcher_page: Page, delivered: Delivered, tmp_path: Path
) -> None:
    names = sorted(delivered.files)
    for name in names[1:]:
        (tmp_path / name).write_bytes(delivered.files[name])
    (tmp_path / names[1]).write_bytes(delivered.files[names[1]][:-1] + b"?")
    renamed = tmp_path / names[2]
    renamed.rename(tmp_path / "renamed.gz")
    open_order(researcher_page, delivered, "delivery")
    researcher_page.get_by_role("button", name="Check a folder").click()

    researcher_page.get_by_label("Choose folder").set_input_files(tmp_path)

    expect(
        researcher_page.get_by_role("status").filter(has_text="2 files are not as released")
    ).to_be_visible()
    rows = researcher_page.get_by_role("dialog").get_by_role("row")
    expect(rows.filter(has_text=names[0])).to_contain_text("Not in the folder")
    expect(rows.filter(has_text=names[1])).to_contain_text("Differs")
    expect(rows.filter(has_text=names[2])).to_contain_text("OK, under another name")
    expect(rows.filter(has_text=names[3])).to_contain_text("OK")


def test_a_check_without_any_md5_is_no_verdict(
    researcher_page: Page, instance: LiveFacility, tmp_path: Path
) -> None:
    researcher, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    order = submit_order(researcher, "No sums yet", 1)
    fill_order(researcher, admin, order, 5)
    assert admin.put(f"{order.delivery}/publication").ok
    (tmp_path / "any.txt").write_text("any")
    open_order(researcher_page, order, "delivery")
    researcher_page.get_by_role("button", name="Check a folder").click()

    researcher_page.get_by_label("Choose folder").set_input_files(tmp_path)

    said = researcher_page.get_by_role("dialog").get_by_role("status")
    expect(said).to_have_text("No checksum is known yet. The service computes them; try again later.")


def test_a_check_that_is_stopped_says_how_far_it_came(
    researcher_page: Page, delivered: Delivered, tmp_path: Path
) -> None:
    for name, content in delivered.files.items():
        (tmp_path / name).write_bytes(content)
    with (tmp_path / min(delivered.files)).open("r+b") as first:
        first.truncate(2_000_000_000)
    open_order(researcher_page, delivered, "delivery")
    researcher_page.get_by_role("button", name="Check a folder").click()
    researcher_page.get_by_label("Choose folder").set_input_files(tmp_path)

    researcher_page.get_by_role("button", name="Stop").click()

    dialog = researcher_page.get_by_role("dialog")
    expect(dialog.get_by_role("status")).to_have_text(
        re.compile(rf"Stopped: \d+ of {len(delivered.files)} files compared\.")
    )
    expect(dialog.get_by_text("Not compared").first).to_be_visible()
    expect(dialog.get_by_label("Choose another folder")).to_be_focused()


def test_an_order_is_accepted_where_it_waits_and_the_focus_goes_on(
    admin_page: Page, instance: LiveFacility
) -> None:
    researcher = instance.sign_in(RESEARCHER)
    for name in ("First shore", "Second shore"):
        submit_order(researcher, name, 1)
    admin_page.goto("/")
    waiting = admin_page.get_by_role("region", name="Waiting for you")
    accept = waiting.get_by_role("button", name="Accept order: First shore")

    accept.focus()
    admin_page.keyboard.press("Enter")

    expect(waiting.get_by_role("status")).to_have_text("First shore: Order accepted.")
    expect(waiting.get_by_role("button", name="Accept order: Second shore")).to_be_focused()
    expect(accept).to_have_count(0)


def test_the_dialog_for_a_cluster_begins_with_its_command(
    researcher_page: Page, delivered: Delivered
) -> None:
    open_order(researcher_page, delivered, "delivery")

    researcher_page.get_by_role("button", name="On a cluster").click()

    expect(researcher_page.get_by_role("combobox", name="Tool")).to_be_focused()
    researcher_page.keyboard.press("Tab")
    expect(researcher_page.get_by_role("textbox", name="Download command")).to_be_focused()


PAPERS = {"A4": 210, "Letter": 215.9}
"""Widths in millimetres."""

PIXELS = 96 / 25.4
MARGINS = 2 * 14
RIGHT_EDGES = """
table => Array.from(table.querySelectorAll("th, td"), cell => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  return Math.max(cell.getBoundingClientRect().right, range.getBoundingClientRect().right);
})
"""


@pytest.fixture(scope="module")
def boxed(instance: LiveFacility) -> Delivered:
    """Return an order whose samples fill a plate."""
    return submit_order(instance.sign_in(RESEARCHER), "A plate of 96", 96)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_packing_slip_is_all_that_is_printed_and_fits_its_paper(
    viewer: Viewer, instance: LiveFacility, boxed: Delivered, paper: str
) -> None:
    words = "Send on dry ice."
    changed = instance.sign_in().patch(
        "/api/admin/settings/access", json={"postSubmissionInstructions": words}
    )
    assert changed.ok, changed.text
    page, _watch = viewer.open(RESEARCHER)
    open_order(page, boxed)
    expect(page.get_by_role("button", name="Print packing slip")).to_be_visible()
    width = int((PAPERS[paper] - MARGINS) * PIXELS)
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(media="print")

    body, samples = page.locator("body"), page.locator(".slip-samples")
    for word in (boxed.number, words, "Ada Lovelace"):
        expect(body).to_contain_text(word, use_inner_text=True)
    rows = [row.split("\t") for row in samples.locator("tbody").inner_text().splitlines()]
    assert [row[0:3] for row in rows] == [
        [str(place), f"lake-{place:02}", code] for place, code in enumerate(boxed.sample_codes, 1)
    ]
    head = samples.locator("thead")
    assert head.evaluate("head => getComputedStyle(head).display") == "table-header-group"
    expect(head).to_contain_text(boxed.number)
    edges = samples.evaluate(RIGHT_EDGES)
    assert len(edges) == 1 + 5 * (1 + len(boxed.sample_codes))
    assert max(edges) <= width
    for word in ("Next step", "Go to"):
        expect(body).not_to_contain_text(word, use_inner_text=True)
    pages = len(re.findall(rb"/Type /Page\b", page.pdf(format=paper)))
    assert 2 <= pages <= 5
