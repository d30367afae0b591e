"""Mail as its person sees it: a link for a forgotten password, and what one is written to about."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect
from seqfacility_testkit.facility import ADMIN, PASSWORD, RESEARCHER
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.mail_server import MailServer, mail_server
from seqfacility_testkit.pages import Viewer, looks_right

INSTANCE = {"SEQFACILITY_PUBLIC_URL": "http://facility.test"}
NOBODY = "nobody@lab.test"


@pytest.fixture
def post(instance: LiveFacility) -> Iterator[MailServer]:
    """Set up mail at a real server, and let the worker give it what is to be sent."""
    with mail_server() as server:
        address = {"host": "127.0.0.1", "port": server.port, "security": "none"}
        saved = instance.sign_in().patch(
            "/api/admin/settings/mail", json={**address, "from": "sequencing@facility.test"}
        )
        assert saved.ok, saved.text
        worker = instance.run("worker")
        yield server
        worker.stop()


def test_without_mail_the_sign_in_page_offers_no_link(viewer: Viewer) -> None:
    page, _watch = viewer.open()

    page.goto("/sign-in")

    expect(page.get_by_text("Ask the facility for a link")).to_be_visible()
    expect(page.get_by_role("link", name="Forgot your password?")).to_have_count(0)


def test_a_link_for_a_new_password_is_asked_for_and_nobody_learns_who_has_an_account(
    viewer: Viewer, web: Path, post: MailServer
) -> None:
    page, _watch = viewer.open()
    said = []

    for email in (NOBODY, RESEARCHER):
        page.goto("/sign-in")
        page.get_by_role("link", name="Forgot your password?").click()
        expect(page.get_by_role("heading", level=1, name="Forgot your password?")).to_be_focused()
        looks_right(page, web)
        page.get_by_role("textbox", name="Email").fill(email)
        page.get_by_role("button", name="Send link").click()
        answer = page.get_by_role("status").filter(has_text="Look into your mail")
        expect(answer).to_contain_text(email)
        said.append(answer.inner_text().replace(email, "…"))
    looks_right(page, web)

    assert said[0] == said[1]
    assert post.arrived.wait(30)
    assert post.recipients == [RESEARCHER]
    plain = post.taken[0].get_body(("plain",))
    assert plain is not None
    content = plain.get_content()
    link = re.search(r"http://facility\.test(/reset-password#token=\S+)", content)
    assert link is not None, content
    page.goto(link[1])
    page.get_by_label("New password").fill(PASSWORD)
    page.get_by_role("button", name="Set password").click()
    expect(page.get_by_text("Your new password is set")).to_be_visible()


@pytest.mark.parametrize("email", [RESEARCHER, ADMIN], ids=["researcher", "staff"])
def test_people_choose_what_they_are_written_to_about(viewer: Viewer, web: Path, email: str) -> None:
    page, _watch = viewer.open(email)
    page.goto("/profile?tab=mail")
    choice = page.get_by_role("combobox", name="Somebody wrote a message")
    expect(choice).to_be_visible()
    looks_right(page, web)

    choice.select_option("Daily")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved")).to_be_visible()

    page.reload()
    expect(choice).to_have_value("daily")
    expect(page.get_by_text("Somebody registered")).to_have_count(1 if email == ADMIN else 0)
