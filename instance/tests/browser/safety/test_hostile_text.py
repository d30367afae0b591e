"""What people, files and a catalog say is text wherever it shows: it runs nothing, and the layout holds."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import requests
from playwright.sync_api import Page, Route, expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.pages import Viewer, no_horizontal_scroll

MARKED = (
    '=HYPERLINK("http://127.0.0.1:9/")<img src=x onerror="ran=1"><script>ran=1</script>'
    "'\"><svg onload=ran=1>{{7*7}}${7*7}&lt;\u202etxt.exe\u2066\u200f"
)
"""A formula that is markup and turns its direction."""
LONG = "W" * 10_000
TEXTS = {"marked": MARKED, "long": LONG}
SITE = "<img src=y onerror=ran=1>\u202e=2+2"
MOST = 255
"""The longest name that the service takes."""
SOIL = "ERC000022"

# Boxes in which a text that turns its direction stands beside other words: those would be turned with it.
TURNED = """() => {
  const found = new Set();
  const isOdd = ({ data }) => data.includes("\\u202e");
  const textsOf = (box) => {
    const nodes = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (nodes.nextNode()) texts.push(nodes.currentNode);
    return texts;
  };
  const flows = ({ display, unicodeBidi }) => display === "inline" && !/isolate|plaintext/.test(unicodeBidi);
  for (const text of textsOf(document.body).filter(isOdd)) {
    let box = text.parentElement;
    // A message is its writer's as a whole, with the links in it.
    if (!box.checkVisibility() || box.closest(".plain-text")) continue;
    while (flows(getComputedStyle(box))) box = box.parentElement;
    const beside = textsOf(box).filter((other) => !isOdd(other) && other.data.trim() !== "");
    if (beside.length > 0) found.add(`${beside[0].data} in ${box.cloneNode().outerHTML}`);
  }
  return [...found];
}"""
SHOWN = """(text) => {
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (node.data.includes(text) && node.parentElement.checkVisibility()) return true;
  }
  return [...document.querySelectorAll("input, textarea")].some((one) => one.value.includes(text));
}"""


@dataclass(frozen=True)
class Written:
    """What somebody wrote, everywhere, with one text."""

    text: str
    names: dict[str, str]

    def shown(self) -> str:
        return self.text[:MOST]


def write_everywhere(ada: LiveClient, admin: LiveClient, text: str) -> Written:
    """Say the same text wherever a person may say something."""
    name = text[:MOST]
    fields = {"description": text}
    made = ada.post("/api/orders", json={"name": name, "platform": "ILLUMINA", "customFields": fields})
    order = answered(made)["order"]
    again = {"name": name, "customFields": fields}
    draft = answered(ada.post("/api/orders", json=again))["order"]
    sample = {
        "sampleAlias": name,
        "scientificName": name,
        "taxId": "410658",
        "customFields": {"sampleTitle": name},
    }
    for each in (order, draft):
        saved = answered(ada.post(f"/api/orders/{each['id']}/samples", json={"samples": [sample]}))
    body = {"title": name, "alias": name, "description": text, "checklistType": SOIL}
    study = answered(ada.post("/api/studies", json=body))["study"]["id"]
    theirs = [row["id"] for row in saved["samples"]]
    answered(ada.post(f"/api/studies/{study}/samples", json={"sampleIds": theirs}))
    said = {"id": theirs[0], "checklistData": {"project_name": text, "negative_control_type": text}}
    answered(ada.put(f"/api/studies/{study}/samples", json={"samples": [said]}))
    answered(ada.post(f"/api/orders/{order['id']}/status", json={"status": "SUBMITTED"}))
    note = {"noteType": "SAMPLES_SENT", "content": text}
    answered(ada.post(f"/api/orders/{order['id']}/notes", json=note))
    internal = {"noteType": "INTERNAL", "content": text}
    answered(admin.post(f"/api/orders/{order['id']}/notes", json=internal))
    asked = {"subject": name, "body": text, "orderId": order["id"]}
    ticket = answered(ada.post("/api/tickets", json=asked))["ticket"]["id"]
    answered(admin.post(f"/api/tickets/{ticket}/messages", json={"body": text}))
    upload_report(admin, order["id"], name)
    answered(admin.put(f"/api/orders/{order['id']}/sequencing/delivery/publication"))
    numbers = {"order": order["orderNumber"], "order_id": order["id"], "draft": draft["orderNumber"]}
    return Written(text, {**numbers, "ticket": ticket, "study": study})


def upload_report(admin: LiveClient, order_id: str, name: str) -> None:
    """Upload a report whose name is what a file system takes of the text."""
    sessions = f"/api/orders/{order_id}/sequencing/uploads"
    target = {"targetKind": "artifact", "targetRole": "multiqc_report"}
    file_name = f"{name.replace('/', '|')[:100]}.html"
    body = {**target, "originalName": file_name, "expectedSize": 3}
    session = f"{sessions}/{answered(admin.post(sessions, json=body))['uploadId']}"
    answered(admin.patch(session, data=b"<p>", headers={"x-service-offset": "0"}))
    answered(admin.post(f"{session}/complete"))
    kept = f"/api/orders/{order_id}/sequencing/artifacts"
    for artifact in answered(admin.get(kept))["artifacts"]:
        answered(admin.patch(f"{kept}/{artifact['id']}", json={"visibility": "customer"}))


def answered(answer: requests.Response) -> Any:
    assert answer.ok, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def both(instance: LiveFacility) -> dict[str, Written]:
    """Fill the facility with each text; its people and the facility itself are called so too."""
    ada, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    answered(admin.post("/api/admin/sequencing-tech", json={"action": "reset"}))
    access = {"siteName": SITE, "postSubmissionInstructions": MARKED + LONG}
    answered(admin.patch("/api/admin/settings/access", json=access))
    departments = [{"name": text[:MOST]} for text in TEXTS.values()]
    made = [answered(admin.post("/api/admin/departments", json=one)) for one in departments]
    person = {"firstName": MARKED, "lastName": MARKED, "departmentId": made[0]["department"]["id"]}
    answered(ada.put("/api/user/profile", json={**person, "institution": LONG[:MOST]}))
    return {name: write_everywhere(ada, admin, text) for name, text in TEXTS.items()}


@pytest.fixture(params=list(TEXTS))
def written(request: pytest.FixtureRequest, both: dict[str, Written]) -> Written:
    return both[request.param]


def test_words_that_programs_use_for_nothing_are_names(viewer: Viewer, instance: LiveFacility) -> None:
    ada = instance.sign_in(RESEARCHER)
    words = ("null", "undefined", "NaN", "0", "false", "__proto__", "constructor", "[object Object]")
    for word in words:
        order = answered(ada.post("/api/orders", json={"name": word}))["order"]["id"]
        sample = {"sampleAlias": word, "scientificName": word}
        answered(ada.post(f"/api/orders/{order}/samples", json={"samples": [sample]}))
        answered(ada.post("/api/studies", json={"title": word}))
        answered(ada.post("/api/tickets", json={"subject": word, "body": word}))
    page, _watch = viewer.open(RESEARCHER)

    for address in ("/orders", "/messages", "/studies", "/"):
        page.goto(address)
        for word in words:
            expect(page.get_by_text(word, exact=True).first).to_be_visible()
    page.get_by_role("link", name="__proto__", exact=True).first.click()
    expect(page.get_by_role("textbox", name="Order name")).to_have_value("__proto__")
    expect(page.get_by_role("gridcell", name="__proto__", exact=True).first).to_be_visible()


LISTS = ("/", "/orders", "/messages", "/studies")
DETAILS = (
    *("/orders/{order}", "/orders/{order}?tab=samples", "/orders/{order}?tab=delivery"),
    *("/orders/{order}?tab=notes", "/messages/{ticket}", "/studies/{study}?tab=metadata"),
)
OF_A_RESEARCHER = (
    *("/studies/{study}", "/orders/{draft}", "/orders/new?order={draft}", "/notifications", "/profile"),
    *("/messages/new?order={order_id}", "/studies/new"),
)


def is_there(page: Page, shown: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".outline, [aria-busy=true]")).to_have_count(0)
    page.wait_for_function(SHOWN, arg=shown)


def holds(page: Page) -> None:
    """Fail unless nothing ran, nothing came of it, no word was turned and no box gave way."""
    assert page.evaluate(
        "() => [globalThis.ran, document.querySelectorAll('img, [onerror], [onload]').length]"
    ) == [
        None,
        0,
    ]
    assert page.evaluate(TURNED) == [], page.url
    for width in (320, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        no_horizontal_scroll(page)


@pytest.mark.parametrize("email", [RESEARCHER, ADMIN], ids=["researcher", "admin"])
def test_what_people_write_is_text(viewer: Viewer, written: Written, email: str) -> None:
    page, _watch = viewer.open(email)

    for address in (*LISTS, *DETAILS, *(OF_A_RESEARCHER if email == RESEARCHER else ())):
        page.goto(address.format(**written.names))
        is_there(page, "" if address in OF_A_RESEARCHER else written.shown()[:80])
        holds(page)


def test_what_is_searched_and_opened_over_a_page_is_text(viewer: Viewer, written: Written) -> None:
    page, _watch = viewer.open(RESEARCHER)
    page.goto(f"/orders/{written.names['order']}?tab=delivery")
    is_there(page, written.shown()[:80])

    page.get_by_role("button", name="On a cluster").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    holds(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.get_by_role("dialog", name="Go to").get_by_role("combobox").fill(written.shown()[:80])
    expect(page.get_by_role("option").filter(has_text=written.names["order"]).first).to_be_visible()
    holds(page)
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("button", name="Account").click()
    expect(page.get_by_role("menu", name="Account")).to_be_visible()
    holds(page)


def said_by(text: str) -> Callable[[Route], None]:
    """Answer as the service, in whose place a registry says every sentence of a catalog."""

    def changed(found: dict[str, object]) -> dict[str, object]:
        sentences = ("label", "description", "helpText", "example", "bestFor", "notes", "vendor")
        return {key: text if key in sentences and value else value for key, value in found.items()}

    def answer(route: Route) -> None:
        fetched = route.fetch()
        route.fulfill(response=fetched, json=json.loads(fetched.body(), object_hook=changed))

    return answer


def test_what_a_catalog_says_is_text(viewer: Viewer, written: Written) -> None:
    page, _watch = viewer.open(RESEARCHER)
    for path in ("sequencing-tech", "mixs-checklists*", "form-schema*", "study-form-schema*"):
        page.route(f"**/api/{path}", said_by(written.text[:1000]))

    for address in (
        "/orders/new",
        "/orders/new?order={draft}",
        "/studies/new",
        "/studies/{study}?tab=metadata",
    ):
        page.goto(address.format(**written.names))
        is_there(page, written.shown()[:80])
        holds(page)
    page.unroute_all(behavior="ignoreErrors")
