"""Journey H: the metadata of 96 samples is completed, and the study moves to the next checklist version."""

import copy
import json
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_instance.checklists.shipped import shipped_checklists
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.pages import Watch

MOST_PRESSES = 8
SAMPLES = 96
SOIL = "ERC000022"
INSTANCE: dict[str, str] = {}

COLUMNS = {
    "Sample": "lake-{row}",
    "project name": "Two shores of one lake",
    "collection date": "2026-05-{day:02d}",
    "geographic location (latitude)": "47.{row:03d}",
    "geographic location (longitude)": "9.{row:03d}",
    "geographic location (country and/or sea)": "Germany",
    "broad-scale environmental context": "lake shore [ENVO:00000382]",
    "local environmental context": "littoral zone [ENVO:01000407]",
    "environmental medium": "soil [ENVO:00001998]",
    "elevation": "396",
    "depth": "0.2",
    "temperature": "11.5",
}


@pytest.fixture(scope="module", autouse=True)
def next_version() -> Iterator[int]:
    """Serve a registry whose next version asks one thing more of soil, and one thing less."""
    shipped = shipped_checklists()
    document: dict[str, Any] = json.loads(shipped.model_dump_json(by_alias=True))
    document["version"] = shipped.version + 1
    soil = next(one for one in document["checklists"] if one["accession"] == SOIL)
    term = copy.deepcopy(soil["fields"][-1])
    term |= {"name": "soil_colour", "label": "soil colour", "type": "text", "options": [], "pattern": None}
    term |= {"required": True, "level": "mandatory", "order": len(soil["fields"]), "units": []}
    soil["fields"] = [*(one for one in soil["fields"] if one["name"] != "temperature"), term]
    body = json.dumps(document).encode()

    class Registry(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path.endswith("/registry/mixs") else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words: object) -> None:
            """Say nothing: the test's output is of the instance."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    Thread(target=server.serve_forever, daemon=True).start()
    INSTANCE["SERVICE_API_URL"] = f"http://127.0.0.1:{server.server_port}/api"
    yield shipped.version + 1
    server.shutdown()
    server.server_close()


@pytest.fixture
def study(instance: LiveFacility) -> str:
    """Return the id of a study of 96 samples, begun before the facility took the next version."""
    ada = instance.sign_in(RESEARCHER)
    order = ada.post("/api/orders", json={"name": "Two shores"}).json()["order"]
    rows = [
        {"sampleAlias": f"lake-{row}", "scientificName": "soil metagenome", "taxId": "410658"}
        for row in range(1, SAMPLES + 1)
    ]
    samples = ada.post(f"/api/orders/{order['id']}/samples", json={"samples": rows}).json()["samples"]
    made = ada.post("/api/studies", json={"title": "Soil of two shores", "checklistType": SOIL}).json()
    study_id: str = made["study"]["id"]
    ids = [sample["id"] for sample in samples]
    assert ada.post(f"/api/studies/{study_id}/samples", json={"sampleIds": ids}).json()["added"] == SAMPLES
    taken = instance.sign_in(ADMIN).post("/api/admin/mixs-checklists", json={"action": "apply-updates"})
    assert taken.status_code == 200, taken.text
    return study_id


def table() -> str:
    """Return what a spreadsheet puts on the clipboard, in another order than the grid's, one date wrong."""
    lines = [
        [form.format(row=row, day=1 + row % 28) for form in COLUMNS.values()] for row in range(SAMPLES, 0, -1)
    ]
    lines[-1][2] = "in spring"
    return "".join("\t".join(line) + "\r\n" for line in (list(COLUMNS), *lines))


def cell(page: Page, row: int, label: str) -> Locator:
    """Return a cell by its row, from 1, and the name of its column."""
    header = page.get_by_role("columnheader", name=label, exact=True)
    place = header.get_attribute("aria-colindex")
    return page.locator(f'[role="row"][aria-rowindex="{row + 1}"] > [aria-colindex="{place}"]')


def test_metadata_of_96_samples_are_completed_and_moved_to_the_next_version(
    researcher_page: Page, watch: Watch, study: str, instance: LiveFacility, next_version: int
) -> None:
    page = researcher_page
    page.goto("/")
    watch.start_counting()
    page.get_by_role("link", name="Studies").first.click()
    page.get_by_role("link", name="Soil of two shores").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Soil of two shores")
    page.get_by_role("tab", name="Metadata").click()
    state = page.get_by_role("status", name="Completeness")
    expect(state).to_contain_text(f"0 of {SAMPLES} samples complete")
    page.get_by_role("grid", name="Metadata").focus()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", table())
    page.keyboard.press("Control+v")
    expect(page.get_by_text("12 of 12 columns matched")).to_be_visible()
    expect(cell(page, 3, "geographic location (latitude)")).to_have_text("47.003")

    expect(state).to_contain_text(f"{SAMPLES - 1} of {SAMPLES} samples complete")
    wrong = cell(page, 1, "collection date")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(wrong).to_have_accessible_description(re.compile("Day, month or year"))
    expect(cell(page, 1, "Complete")).to_have_text("9 of 10")
    wrong.click()
    page.keyboard.type("2026-05-02")
    page.keyboard.press("Enter")
    expect(state).to_contain_text(f"All {SAMPLES} samples complete")

    page.get_by_role("tab", name="Version").click()
    expect(page.get_by_role("heading", name=f"Version {next_version} is out")).to_have_text(
        f"Version {next_version} is out: 1 field more, 1 newly required, touches {SAMPLES} of your samples"
    )
    fields = page.get_by_role("region", name="Fields that change")
    expect(fields.get_by_role("row", name="soil colour")).to_contain_text("New, Newly required")
    expect(fields.get_by_role("row", name="temperature")).to_contain_text("No longer asked for")
    page.get_by_role("button", name=f"Move to version {next_version}").click()
    expect(page.get_by_text(f"Version {next_version} is the newest")).to_be_visible()

    stored = instance.sign_in(RESEARCHER).get(f"/api/studies/{study}").json()["study"]
    assert stored["mixsVersion"] == next_version
    by_alias = {sample["sampleAlias"]: sample for sample in stored["samples"]}
    assert by_alias["lake-3"]["checklistData"]["geographic_location_latitude"] == "47.003"
    assert by_alias["lake-1"]["checklistData"]["collection_date"] == "2026-05-02"
    assert by_alias["lake-1"]["checklistUnits"]["depth"] == "m"
    assert watch.presses <= MOST_PRESSES

    page.get_by_role("status", name="Messages from the page").get_by_role("button", name="Undo").click()
    expect(page.get_by_text(f"The study is back on version {next_version - 1}")).to_be_visible()
    expect(page.get_by_role("button", name=f"Move to version {next_version}")).to_be_visible()
    again = instance.sign_in(RESEARCHER).get(f"/api/studies/{study}").json()["study"]
    assert again["mixsVersion"] == next_version - 1
    assert again["samples"] == stored["samples"]
