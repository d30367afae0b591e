"""Journey F: an instrument writes, the order's page shows it while it does, and reads are made of it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from seqfacility_testkit.facility import ADMIN
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_streams import RUN_NAME, Bench, StreamedOrder
from seqfacility_testkit.pages import Viewer, Watch
from seqfacility_testkit.waiting import wait_until


@pytest.fixture(scope="module")
def bench(instance: LiveFacility) -> Bench:
    return Bench.set_up(instance)


@pytest.fixture
def order(bench: Bench) -> StreamedOrder:
    return bench.order()


def number(page: Page, label: str) -> Locator:
    """The figure that stands below a label at the top of the page."""
    return page.locator(".totals div").filter(has=page.get_by_text(label, exact=True)).locator("dd")


def reads_shown(page: Page) -> int:
    return int((number(page, "Reads").text_content() or "").replace(",", ""))


def column(table: Locator, place: int) -> list[str]:
    found: list[str] = table.locator(f"tbody td:nth-child({place})").all_text_contents()
    return found


def test_an_instrument_is_watched_until_its_reads_are_made(
    bench: Bench, order: StreamedOrder, admin_page: Page, watch: Watch, tmp_path: Path
) -> None:
    page = admin_page
    page.goto(order.address)
    expect(page.get_by_text("No stream yet")).to_be_visible()
    watch.start_counting()

    page.get_by_role("button", name="Start watching").click()
    page.get_by_role("radio", name=f"{order.number}/pool/{RUN_NAME}").click()
    expect(page.get_by_text("2 barcodes of the run plan")).to_be_visible()
    page.get_by_role("button", name="Watch this folder").click()

    expect(page.get_by_text("Watching since")).to_be_visible()
    order.write("barcode01/first.fastq.gz", 40)
    expect(number(page, "Reads")).to_have_text("40")
    for figure in ("Yield over time", "Bases by barcode", "Read length", "Quality"):
        expect(page.get_by_role("figure", name=figure)).to_contain_text("As a table")

    bench.move_clock(120)
    expect(page.get_by_text(re.compile(r"No new file since \d\d:\d\d, noticed at \d\d:\d\d"))).to_be_visible()
    bench.move_clock(0)
    simulation = order.simulate(
        tmp_path, minutes=5, barcodes=2, reads_per_minute=40, reads_per_file=30, speed_up=120
    )
    wait_until(lambda: reads_shown(page) > 40, "the page moves while the instrument writes")
    simulation.totals()
    expect(page.get_by_text("has written at")).to_be_visible()
    every = order.wait_until_all_is_counted()
    expect(number(page, "Reads")).to_have_text(f"{every:,}")

    page.get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("Stopped at")).to_be_visible()
    page.get_by_role("button", name="Collect reads").click()
    page.get_by_role("button", name="Collect 2 reads").click()
    expect(page.get_by_text("2 of 2 reads made")).to_be_visible()

    assert watch.presses <= 6
    made = bench.admin.get(f"/api/orders/{order.id}/sequencing").json()["samples"]
    assert all(sample["read"]["source"] == "stream" for sample in made)


def test_each_plot_is_a_table_of_as_many_reads_as_the_page_says(
    order: StreamedOrder, admin_page: Page
) -> None:
    order.write("barcode01/a.fastq.gz", 30, 700)
    order.write("barcode02/b.fastq.gz", 50, 90)
    order.write("barcode09/c.fastq.gz", 7, 5000)
    order.watch()
    admin_page.goto(order.address)
    expect(number(admin_page, "Reads")).to_have_text("87")

    places = {"Yield over time": 2, "Bases by barcode": 3, "Read length": 2, "Quality": 2}
    for name, place in places.items():
        figure = admin_page.get_by_role("figure", name=name)
        figure.get_by_text("As a table").click()
        table = figure.get_by_role("table", name=name)
        expect(table).to_be_visible()
        counted = sum(int(cell.replace(",", "")) for cell in column(table, place))
        assert counted == reads_shown(admin_page), name


def test_an_unknown_barcode_is_assigned_once_however_many_try(
    bench: Bench, order: StreamedOrder, viewer: Viewer
) -> None:
    page, watch = viewer.open(ADMIN)
    order.write("barcode07/a.fastq.gz", 12)
    stream = order.watch()
    page.goto(order.address)
    unknown = page.get_by_role("table", name="Barcodes without a sample")
    expect(unknown.get_by_text("barcode07")).to_be_visible()
    page.get_by_role("button", name="Assign barcode07").click()
    dialog = page.get_by_role("dialog", name="Assign barcode07 to a sample")
    dialog.get_by_label("Sample").select_option(order.sample_codes[1])
    # A colleague is faster, and this page is slow to hear of it.
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile(r"/stream$"), hold)
    before = order.stream()["barcodeMap"]
    theirs = {**before, "barcode08": order.sample_codes[0]}  # type: ignore[dict-item]  # a map of texts
    path = f"/api/orders/{order.id}/stream/{stream}"
    assert bench.admin.patch(path, json={"barcodeMap": theirs}).ok
    watch.expect("status of 409")

    with page.expect_response(lambda answer: answer.status == 409):
        dialog.get_by_role("button", name="Assign to lake-02").click()
    for route in held:
        route.continue_()
    page.unroute(re.compile(r"/stream$"))
    expect(dialog.get_by_text("The barcode map was changed meanwhile")).to_be_visible()
    dialog.get_by_role("button", name="Assign to lake-02").click()

    expect(dialog).to_have_count(0)
    expect(unknown).to_have_count(0)
    row = page.get_by_role("table", name="Barcodes").get_by_role("row").filter(has_text="barcode07")
    expect(row).to_contain_text("lake-02")
    assert order.stream()["barcodeMap"] == {**theirs, "barcode07": order.sample_codes[1]}


def test_a_paused_view_stands_still_and_goes_on(order: StreamedOrder, admin_page: Page) -> None:
    order.write("barcode01/a.fastq.gz", 10)
    order.watch()
    admin_page.goto(order.address)
    expect(number(admin_page, "Reads")).to_have_text("10")
    admin_page.get_by_role("button", name="Pause view").click()
    expect(admin_page.get_by_text("This view stands still since")).to_be_visible()

    with admin_page.expect_response(
        lambda answer: answer.url.endswith("/metrics") and '"reads":15' in answer.text().replace(" ", "")
    ):
        order.write("barcode01/b.fastq.gz", 5)
    assert reads_shown(admin_page) == 10

    admin_page.get_by_role("button", name="Pause view").click()
    expect(number(admin_page, "Reads")).to_have_text("15")
    expect(admin_page.get_by_text("This view stands still")).to_have_count(0)
