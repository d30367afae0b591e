"""The reads of an order with real files: found, linked, classified, hashed, removed and deleted."""

import hashlib
import random
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_testkit.facility import ADMIN, RESEARCHER
from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_deliveries import (
    Delivered,
    fastq,
    fill_order,
    release_order,
    submit_order,
)
from seqfacility_testkit.pages import LOOKS, Theme, Viewer, axe, no_horizontal_scroll

INSTANCE = {"SEQFACILITY_DEMO": "1"}
CHANCE = random.Random(7)  # noqa: S311  # the same files at every run


def tab(order: Delivered, **query: str) -> str:
    more = "".join(f"&{key}={value}" for key, value in query.items())
    return f"/orders/{order.number}?tab=reads{more}"


def made(instance: LiveFacility, name: str, samples: int) -> Delivered:
    return submit_order(instance.sign_in(RESEARCHER), name, samples)


def filled(instance: LiveFacility, name: str, samples: int) -> Delivered:
    """Order sequencing, and upload a cleaned pair for each sample and a report."""
    order = made(instance, name, samples)
    fill_order(instance.sign_in(RESEARCHER), instance.sign_in(), order, 5)
    return order


def on_disk(instance: LiveFacility, folder: str, *names: str) -> Path:
    place = instance.home / "data" / folder
    place.mkdir(parents=True, exist_ok=True)
    for name in names:
        (place / name).write_bytes(fastq(CHANCE, 3))
    return place


def samples_of(admin: LiveClient, order: Delivered) -> Any:
    answer = admin.get(f"/api/orders/{order.id}/sequencing")
    assert answer.ok, answer.text
    return answer.json()["samples"]


def row(page: Page, sample: str, table: str = "Reads by sample") -> Locator:
    return page.get_by_role("table", name=table).get_by_role("row").filter(has_text=sample)


def choose(page: Page, *samples: str) -> Locator:
    for sample in samples:
        page.get_by_role("checkbox", name=f"Choose {sample}", exact=True).check()
    return page.get_by_role("group", name="Chosen samples")


@pytest.fixture(scope="module")
def survey(instance: LiveFacility) -> Delivered:
    """Return an order of which one sample has a damaged file, and one none."""
    order = made(instance, "Winter survey", 4)
    on_disk(instance, "winter", "lake-01_R1.fastq.gz", "lake-01_R2.fastq.gz", "lake-02_R1.fastq.gz")
    (on_disk(instance, "winter") / "lake-03_R1.fastq.gz").write_bytes(b"no gzip at all")
    admin = instance.sign_in()
    assignments = [
        {
            "sampleId": order.sample_codes[0],
            "file1": "winter/lake-01_R1.fastq.gz",
            "file2": "winter/lake-01_R2.fastq.gz",
        },
        {"sampleId": order.sample_codes[1], "file1": "winter/lake-02_R1.fastq.gz", "dataClass": "cleaned"},
        {"sampleId": order.sample_codes[2], "file1": "winter/lake-03_R1.fastq.gz", "checksum1": "0" * 32},
    ]
    body = {"assignments": assignments}
    assert admin.put(f"/api/orders/{order.id}/sequencing/reads", json=body).ok
    paths = ["winter/lake-03_R1.fastq.gz"]
    assert admin.post("/api/files/checksum", json={"filePaths": paths}).ok
    report = {"targetKind": "artifact", "targetRole": "demux_stats", "originalName": "Stats.csv"}
    sessions = f"/api/orders/{order.id}/sequencing/uploads"
    begun = admin.post(sessions, json={**report, "expectedSize": 4}).json()["uploadId"]
    assert admin.patch(f"{sessions}/{begun}", data=b"a,b\n", headers={"x-service-offset": "0"}).ok
    assert admin.post(f"{sessions}/{begun}/complete").ok
    return order


def looks_right(page: Page, web: Path) -> None:
    axe(page, web)
    no_horizontal_scroll(page)


@pytest.mark.parametrize(("width", "theme"), LOOKS)
def test_no_state_of_the_reads_has_a_finding_or_scrolls_sideways(
    viewer: Viewer, web: Path, survey: Delivered, width: int, theme: Theme
) -> None:
    page, _watch = viewer.open(ADMIN, width=width, theme=theme)

    page.goto(tab(survey))
    expect(row(page, "lake-04")).to_contain_text("no reads")
    expect(page.get_by_text("3 of 4 samples have reads")).to_be_visible()
    looks_right(page, web)
    bar = choose(page, "lake-01", "lake-02")
    looks_right(page, web)
    bar.get_by_role("button", name="Change data class").click()
    expect(page.get_by_role("dialog").get_by_role("radio")).to_have_count(3)
    looks_right(page, web)
    page.keyboard.press("Escape")
    bar.get_by_role("button", name="Delete 3 files").click()
    expect(page.get_by_role("dialog").get_by_text("deleted from disk for good")).to_be_visible()
    looks_right(page, web)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Link files on disk").click()
    page.get_by_role("dialog").get_by_role("button", name="winter", exact=True).click()
    expect(row(page, "lake-02_R1.fastq.gz", "Files to link")).to_contain_text("Is a file of lake-02")
    looks_right(page, web)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Change Stats.csv").click()
    expect(page.get_by_role("radiogroup", name="Seen by")).to_be_visible()
    looks_right(page, web)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="lake-01").click()
    expect(page.get_by_role("dialog", name="Reads of lake-01")).to_contain_text("winter/lake-01_R2.fastq.gz")
    looks_right(page, web)


def test_the_table_says_what_is_known_and_its_filters_are_in_the_address(
    viewer: Viewer, survey: Delivered
) -> None:
    page, _watch = viewer.open(ADMIN)
    page.goto(tab(survey))

    expect(row(page, "lake-01")).to_contain_text("No MD5")
    expect(row(page, "lake-01")).to_contain_text("Raw (protected)")
    expect(row(page, "lake-02")).to_contain_text("Cleaned")
    expect(row(page, "lake-03")).to_contain_text("Differs")
    page.get_by_role("button", name="MD5", exact=True).click()
    page.get_by_role("menuitemradio", name="Differs").click()
    expect(page).to_have_url(re.compile("md5=differs"))
    expect(row(page, "lake-01")).to_have_count(0)
    expect(row(page, "lake-03")).to_be_visible()
    page.get_by_role("button", name="Remove MD5: Differs").click()
    expect(row(page, "lake-01")).to_be_visible()
    page.goto(tab(survey, dataClass="cleaned"))
    expect(page.get_by_role("table", name="Reads by sample").get_by_role("row")).to_have_count(2)
    page.get_by_role("searchbox", name="Search samples").fill("lake-01")
    expect(page.get_by_text("No sample fits")).to_be_visible()


def test_a_sample_is_opened_and_left_with_the_keyboard_alone(viewer: Viewer, survey: Delivered) -> None:
    page, _watch = viewer.open(ADMIN)
    page.goto(tab(survey))
    row(page, "lake-01").focus()

    page.keyboard.press("j")
    expect(row(page, "lake-02")).to_be_focused()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog", name="Reads of lake-02")
    expect(drawer).to_contain_text("Linked on disk by")
    page.keyboard.press("Escape")

    expect(drawer).to_have_count(0)
    expect(row(page, "lake-02")).to_be_focused()


def test_what_is_shown_is_saved_as_csv(viewer: Viewer, survey: Delivered) -> None:
    page, _watch = viewer.open(ADMIN)
    page.goto(tab(survey, q="lake-03"))
    expect(row(page, "lake-01")).to_have_count(0)

    with page.expect_download() as download:
        page.get_by_role("button", name="CSV of what is shown").first.click()
    head, line = Path(download.value.path()).read_text("utf-8-sig").splitlines()

    assert head.startswith("Sample,R1,R2,Bytes,Reads,Mean quality,Check,MD5,Data class")
    assert line.startswith("lake-03,winter/lake-03_R1.fastq.gz,,14,")


def test_files_on_disk_become_reads_by_their_names_and_by_choice_with_the_keyboard_alone(
    viewer: Viewer, instance: LiveFacility
) -> None:
    order = made(instance, "Two shores of one lake", 3)
    folder = on_disk(
        instance, "shores/241126", "lake-01_R1.fastq.gz", "lake-01_R2.fastq.gz", "of_the_third.fastq.gz"
    )
    (folder / "hidden_link.fastq.gz").symlink_to("/etc/hostname")
    page, _watch = viewer.open(ADMIN)
    page.goto(tab(order))

    page.get_by_role("button", name="Link files on disk").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Link files on disk")
    dialog.get_by_role("button", name="shores", exact=True).press("Enter")
    dialog.get_by_role("button", name="241126", exact=True).press("Enter")
    first = row(page, "lake-01_R1.fastq.gz", "Files to link")
    expect(first).to_contain_text("Its name says lake-01")
    expect(row(page, "hidden_link", "Files to link")).to_have_count(0)
    third = row(page, "of_the_third", "Files to link")
    expect(third).to_contain_text("Names no sample of the order")
    link = dialog.get_by_role("button", name=re.compile("^Link files"))
    expect(link).to_have_attribute("aria-description", "1 file needs a sample first, or is left out.")
    sample = dialog.get_by_role("combobox", name="Sample of of_the_third.fastq.gz")
    sample.press_sequentially("lake-03")
    page.keyboard.press("Tab")
    expect(third).to_contain_text("You chose lake-03")
    dialog.get_by_role("button", name="Link files to 2 samples").press("Enter")

    expect(dialog).to_have_count(0)
    expect(page.get_by_text("Files are linked to 2 samples.")).to_be_visible()
    expect(row(page, "lake-03")).to_contain_text("of_the_third.fastq.gz")
    reads = [one["read"] for one in samples_of(instance.sign_in(), order)]
    assert (reads[0]["file1"], reads[0]["file2"]) == (
        "shores/241126/lake-01_R1.fastq.gz",
        "shores/241126/lake-01_R2.fastq.gz",
    )
    assert reads[1] is None
    assert reads[2]["file1"] == "shores/241126/of_the_third.fastq.gz"


def test_what_linking_refuses_stands_at_its_row(viewer: Viewer, instance: LiveFacility) -> None:
    order, other = made(instance, "Spring", 2), made(instance, "Other spring", 1)
    folder = on_disk(instance, "spring", "lake-01_R1.fastq.gz", "lake-02_R1.fastq.gz")
    page, watch = viewer.open(ADMIN)
    watch.expect("status of 400")
    page.goto(tab(order))
    page.get_by_role("button", name="Link files on disk").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="spring", exact=True).click()
    expect(row(page, "lake-02_R1", "Files to link")).to_contain_text("Its name says lake-02")
    link = dialog.get_by_role("button", name="Link files to 2 samples")

    admin = instance.sign_in()
    taken = [{"sampleId": other.sample_codes[0], "file1": "spring/lake-02_R1.fastq.gz"}]
    assert admin.put(f"/api/orders/{other.id}/sequencing/reads", json={"assignments": taken}).ok
    (folder / "lake-01_R1.fastq.gz").unlink()
    link.click()

    expect(row(page, "lake-01_R1", "Files to link")).to_contain_text("File not found")
    expect(row(page, "lake-02_R1", "Files to link")).to_contain_text("belongs to another sample")
    expect(dialog.get_by_role("alert")).to_contain_text("Nothing was linked: 2 files are refused")
    assert [one["read"] for one in samples_of(admin, order)] == [None, None]


def test_a_class_is_changed_for_many_at_once_and_says_what_the_researcher_gets_and_loses(
    viewer: Viewer, instance: LiveFacility
) -> None:
    order = filled(instance, "Autumn survey", 3)
    admin = instance.sign_in()
    release_order(admin, order)
    page, _watch = viewer.open(ADMIN)
    page.goto(tab(order))
    expect(row(page, "lake-01").get_by_role("cell", name="yes")).to_be_visible()

    choose(page, "lake-01", "lake-02").get_by_role("button", name="Change data class").click()
    dialog = page.get_by_role("dialog")
    change = dialog.get_by_role("button", name="Change data class")
    expect(change).to_have_attribute("aria-disabled", "true")
    dialog.get_by_role("radio", name=re.compile("^Raw")).check()
    expect(dialog.get_by_text("loses them at once")).to_be_visible()
    dialog.get_by_role("textbox", name="Note").fill("Host reads were found")
    change.click()

    expect(page.get_by_text("The data class of 2 reads is changed.")).to_be_visible()
    expect(row(page, "lake-01")).to_contain_text("Raw (protected)")
    expect(row(page, "lake-01").get_by_role("cell", name="no", exact=True)).to_be_visible()
    page.get_by_role("link", name="lake-01", exact=True).click()
    drawer = page.get_by_role("dialog", name="Reads of lake-01")
    expect(drawer).to_contain_text("Uploaded by")
    expect(drawer).to_contain_text("Cleaned became Raw (protected) by")
    expect(drawer).to_contain_text("Host reads were found")
    drawer.get_by_role("button", name="Change data class").click()
    page.get_by_role("radio", name=re.compile("^Cleaned")).check()
    expect(page.get_by_text("the researcher gets 1 read at once")).to_be_visible()


def test_md5_are_computed_for_all_and_copied(viewer: Viewer, instance: LiveFacility) -> None:
    order = made(instance, "Summer survey", 30)
    names = [f"lake-{number:02}_R1.fastq.gz" for number in range(1, 31)]
    folder = on_disk(instance, "summer", *names)
    admin = instance.sign_in()
    assignments = [
        {"sampleId": code, "file1": f"summer/{name}"}
        for code, name in zip(order.sample_codes, names, strict=True)
    ]
    assert admin.put(f"/api/orders/{order.id}/sequencing/reads", json={"assignments": assignments}).ok
    (folder / names[4]).unlink()
    page, watch = viewer.open(ADMIN)
    page.goto(tab(order))
    page.get_by_role("checkbox", name="Choose all shown").check()
    watch.start_counting()

    page.get_by_role("group", name="Chosen samples").get_by_role("button", name="Compute MD5").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Compute MD5").click()

    expect(dialog.get_by_text("29 of 30 done, 1 refused")).to_be_visible()
    expect(row(page, "lake-05", "What it is done with")).to_contain_text("File not found")
    assert watch.requests.count("POST /api/files/checksum") == 3
    dialog.get_by_role("button", name="Close").last.click()
    expect(row(page, "lake-06")).to_contain_text("Computed here")
    expect(row(page, "lake-05")).to_contain_text("No MD5")
    md5 = hashlib.md5((folder / names[0]).read_bytes(), usedforsecurity=False).hexdigest()
    assert samples_of(admin, order)[0]["read"]["checksum1"] == md5
    page.get_by_role("link", name="lake-01", exact=True).click()
    expect(page.get_by_role("dialog").get_by_text(md5)).to_be_visible()
    expect(page.get_by_role("button", name="Copy MD5 of lake-01_R1.fastq.gz")).to_be_visible()
    page.goto(tab(order, sample=order.sample_codes[4]))
    expect(page.get_by_role("dialog", name="Reads of lake-05")).to_contain_text("Not on disk")


def test_reads_are_taken_out_of_use_and_their_files_stay(viewer: Viewer, instance: LiveFacility) -> None:
    order = filled(instance, "Moor", 2)
    admin = instance.sign_in()
    paths = [samples_of(admin, order)[0]["read"][f"file{number}"] for number in (1, 2)]
    page, _watch = viewer.open(ADMIN)
    page.goto(tab(order))

    choose(page, "lake-01").get_by_role("button", name="Remove from use").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove from use").click()

    expect(row(page, "lake-01")).to_contain_text("no reads")
    assert all((instance.home / "data" / path).is_file() for path in paths)
    page.get_by_role("link", name="lake-01", exact=True).click()
    expect(page.get_by_role("dialog")).to_contain_text("R1 and R2 removed by")


def test_files_are_deleted_after_the_number_is_typed_and_the_researcher_loses_them(
    viewer: Viewer, instance: LiveFacility
) -> None:
    order = filled(instance, "Peat", 2)
    admin = instance.sign_in()
    release_order(admin, order)
    read = samples_of(admin, order)[1]["read"]
    page, _watch = viewer.open(ADMIN)
    page.goto(tab(order))

    choose(page, "lake-02").get_by_role("button", name="Delete 2 files").click()
    dialog = page.get_by_role("dialog", name="Delete 2 files")
    expect(
        dialog.get_by_text("The researcher has 2 of these files now, and loses them at once.")
    ).to_be_visible()
    delete = dialog.get_by_role("button", name="Delete 2 files")
    expect(delete).to_have_attribute("aria-description", "Type the number of the order first.")
    dialog.get_by_role("textbox", name=f"Type {order.number} to confirm").fill(order.number)
    delete.click()

    expect(page.get_by_text("2 files are deleted.")).to_be_visible()
    expect(row(page, "lake-02")).to_contain_text("no reads")
    assert not (instance.home / "data" / read["file1"]).exists()
    assert samples_of(admin, order)[1]["read"] is None
    delivered = instance.sign_in(RESEARCHER).get(order.delivery).json()["delivery"]["readFiles"]
    assert {file["sampleAlias"] for file in delivered} == {"lake-01"}


def test_other_files_are_shown_to_the_researcher_or_not_and_deleted(
    viewer: Viewer, instance: LiveFacility
) -> None:
    order = filled(instance, "Fen", 1)
    admin = instance.sign_in()
    release_order(admin, order)
    page, _watch = viewer.open(ADMIN)
    page.goto(tab(order))
    file = row(page, "multiqc_report.html", "Other files")
    expect(file).to_contain_text("MultiQC report")
    expect(file).to_contain_text("Delivered")

    page.get_by_role("button", name="Change multiqc_report.html").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name="The facility only").check()
    expect(dialog.get_by_text("The researcher has this file now, and loses it at once.")).to_be_visible()
    dialog.get_by_role("button", name="Save").click()
    expect(file).to_contain_text("The facility only")
    expect(file).not_to_contain_text("Delivered")
    page.get_by_role("button", name="Delete multiqc_report.html").click()
    dialog.get_by_role("textbox").fill(order.number)
    dialog.get_by_role("button", name="Delete 1 file").click()

    expect(page.get_by_text("No reports, sample sheets or attachments were added.")).to_be_visible()
    assert admin.get(f"/api/orders/{order.id}/sequencing/artifacts").json()["artifacts"] == []


def test_names_of_files_and_samples_are_shown_as_text(viewer: Viewer, instance: LiveFacility) -> None:
    order = made(instance, "<img src=x onerror=alert(1)>", 1)
    evil, folder = "<img src=x onerror=alert(1)>=cmd_R1.fastq.gz", "<b>&amp; été"
    on_disk(instance, folder, evil)
    page, _watch = viewer.open(ADMIN)
    page.goto(tab(order))

    page.get_by_role("button", name="Link files on disk").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=folder).click()
    expect(row(page, evil, "Files to link")).to_be_visible()
    dialog.get_by_role("combobox", name=re.compile("^Sample of")).fill("lake-01")
    page.keyboard.press("Tab")
    dialog.get_by_role("textbox", name="Note").fill("<script>alert(2)</script>")
    dialog.get_by_role("button", name="Link files to 1 sample").click()
    expect(row(page, "lake-01")).to_contain_text(evil)
    page.get_by_role("link", name="lake-01", exact=True).click()

    expect(page.get_by_role("dialog")).to_contain_text("<script>alert(2)</script>")
    expect(page.get_by_role("dialog").get_by_role("link", name=evil)).to_be_visible()


def test_two_thousand_samples_are_shown_by_pages_and_chosen_at_once(
    viewer: Viewer, instance: LiveFacility
) -> None:
    ada, admin = instance.sign_in(RESEARCHER), instance.sign_in()
    order = submit_order(ada, "Two thousand", 2000)
    on_disk(instance, "many", *(f"lake-{number:02}.fastq.gz" for number in range(1, 2001)))
    assignments = [
        {"sampleId": code, "file1": f"many/lake-{number:02}.fastq.gz"}
        for number, code in enumerate(order.sample_codes, 1)
    ]
    assert admin.put(f"/api/orders/{order.id}/sequencing/reads", json={"assignments": assignments}).ok
    page, _watch = viewer.open(ADMIN)
    page.goto(tab(order))

    expect(page.get_by_text("1 to 200 of 2,000")).to_be_visible()
    page.get_by_role("button", name="Choose all 2,000").click()
    bar = page.get_by_role("group", name="Chosen samples")
    expect(bar).to_contain_text("2,000 samples, 2,000 files")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("201 to 400 of 2,000")).to_be_visible()
    expect(bar).to_contain_text("2,000 samples, 2,000 files")
    page.get_by_role("searchbox", name="Search samples").fill("lake-1999")
    expect(row(page, "lake-1999")).to_be_visible()
    bar.get_by_role("button", name="Compute MD5").click()
    concerned = page.get_by_role("table", name="What it is done with")
    expect(concerned).to_have_attribute("aria-rowcount", "2001")
    assert concerned.get_by_role("row").count() < 100


def test_what_somebody_else_does_is_seen_without_a_reload(viewer: Viewer, instance: LiveFacility) -> None:
    order = made(instance, "River", 1)
    page, _watch = viewer.open(ADMIN)
    page.goto(tab(order))
    expect(row(page, "lake-01")).to_contain_text("no reads")

    on_disk(instance, "river", "a.fastq.gz")
    body = {"assignments": [{"sampleId": order.sample_codes[0], "file1": "river/a.fastq.gz"}]}
    assert instance.sign_in().put(f"/api/orders/{order.id}/sequencing/reads", json=body).ok

    expect(row(page, "lake-01")).to_contain_text("a.fastq.gz")


def test_today_and_the_next_step_lead_to_the_reads(
    viewer: Viewer, instance: LiveFacility, survey: Delivered
) -> None:
    order, admin = made(instance, "Broken", 2), instance.sign_in()
    on_disk(instance, "broken", "a.fastq.gz", "b.fastq.gz")
    a, b = order.sample_codes
    assignments = [
        {"sampleId": a, "file1": "broken/a.fastq.gz", "checksum1": "0" * 32},
        {"sampleId": b, "file1": "broken/b.fastq.gz"},
    ]
    assert admin.put(f"/api/orders/{order.id}/sequencing/reads", json={"assignments": assignments}).ok
    assert admin.post("/api/files/checksum", json={"filePaths": ["broken/a.fastq.gz"]}).ok
    page, _watch = viewer.open(ADMIN)
    page.goto(f"/orders/{survey.number}")
    step = page.get_by_role("region", name="Next step")

    step.get_by_role("link", name="Add reads").click()
    expect(page.get_by_role("tab", name="Reads")).to_have_attribute("aria-selected", "true")
    expect(row(page, "lake-03")).to_be_visible()
    page.goto(f"/orders/{order.number}")
    step.get_by_role("link", name="Show reads").click()
    expect(row(page, "lake-01")).to_contain_text("Differs")
    expect(row(page, "lake-02")).to_have_count(0)
    page.goto("/")
    waiting = page.get_by_role("region", name="Waiting for you").get_by_role("listitem")
    waiting.filter(has_text="Broken").get_by_role("link", name=re.compile("^Check files")).click()
    expect(row(page, "lake-01")).to_contain_text("Differs")
    expect(row(page, "lake-02")).to_have_count(0)


def test_a_visitor_of_the_demonstration_sees_what_is_refused_and_why(viewer: Viewer) -> None:
    page, watch = viewer.open()
    watch.expect("status of 40[13]")
    page.goto("/demo")
    page.get_by_role("button", name="Try as admin").click()
    expect(page.get_by_role("heading", level=1, name="Today")).to_be_visible()
    page.goto("/orders")
    page.get_by_role("link", name=re.compile("^ORD-")).first.click()
    page.get_by_role("tab", name="Reads").click()

    why = "Changes and downloads are switched off in this demonstration."
    link = page.get_by_role("button", name="Link files on disk")
    expect(link).to_have_attribute("aria-description", why)
    expect(page.get_by_role("tabpanel").get_by_text(why)).to_be_visible()
    page.get_by_role("checkbox", name="Choose all shown").check()
    bar = page.get_by_role("group", name="Chosen samples")
    for name in ("Change data class", "Compute MD5", "Remove from use"):
        expect(bar.get_by_role("button", name=name)).to_have_attribute("aria-description", why)
