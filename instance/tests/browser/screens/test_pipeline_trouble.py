"""What goes wrong around pipelines is told where it is seen: reference data, a registry that is refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from seqfacility_pipeline_package.documents import canonical_json
from seqfacility_testkit.database_packages import with_database
from seqfacility_testkit.file_server import FileServer
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.packages import SLEEPER
from seqfacility_testkit.pages import looks_right
from seqfacility_testkit.published_content import signatures_are
from seqfacility_testkit.registry import StandInRegistry

DATA = "/facility/pipelines?tab=data"
CONTENT = bytes(range(256)) * 400
DESK = {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def registry() -> Iterator[StandInRegistry]:
    """Return a registry that is there and signs nothing."""
    with StandInRegistry() as registry:
        registry.answers["/api/registry"] = b'{"version": "1.0", "pipelines": []}'
        yield registry


@pytest.fixture(scope="module")
def variables(registry: StandInRegistry) -> dict[str, str]:
    # The host of the data is listed, as a facility does with a mirror in its own network.
    return {"SEQFACILITY_PRIVATE_HOSTS": "127.0.0.1", "SERVICE_API_URL": registry.base_url}


@pytest.fixture(scope="module")
def server(instance: LiveFacility, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FileServer]:
    """Serve the data of an installed pipeline."""
    with FileServer() as server:
        server.files["/host.mmi"] = CONTENT
        package = tmp_path_factory.mktemp("package") / "sleeper.json"
        payload = with_database(server.url("/host.mmi"), CONTENT, is_required=True)
        package.write_bytes(canonical_json(payload))
        installing = instance.run("install-pipeline", SLEEPER, "--file", str(package), "--enable")
        assert installing.process.wait(100) == 0
        settings = instance.sign_in().patch("/api/admin/settings/storage", json={"minFreeBytes": 0})
        assert settings.ok, settings.text
        yield server


def work(instance: LiveFacility) -> None:
    assert instance.run("worker", "--once").process.wait(100) == 0


def back_to_the_desk(page: Page) -> None:
    page.set_viewport_size(DESK)  # type: ignore[arg-type]  # a dictionary of two numbers


def host_genome(page: Page) -> Locator:
    page.goto(DATA)
    data = page.get_by_role("listitem", name="Host genome")
    expect(data).to_be_visible()
    return data


def test_a_fetch_that_failed_says_why_and_is_asked_again_and_the_data_are_removed(
    admin_page: Page, instance: LiveFacility, server: FileServer, web: Path
) -> None:
    server.status = 404
    host_genome(admin_page).get_by_role("button", name="Fetch Host genome").click()
    work(instance)

    data = host_genome(admin_page)
    expect(data).to_contain_text("The server answered 404")
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    server.status = None
    data.get_by_role("button", name="Fetch again: Host genome").click()
    expect(data).to_contain_text("waits to be fetched")
    work(instance)
    data = host_genome(admin_page)
    expect(data.get_by_role("button", name="Fetch Host genome")).to_have_count(0)
    expect(data).not_to_contain_text("The server answered 404")
    looks_right(admin_page, web)

    back_to_the_desk(admin_page)
    data.get_by_role("button", name="Remove Host genome").click()
    asked = admin_page.get_by_role("dialog", name="Remove Host genome")
    expect(asked).to_contain_text("Its files are deleted. They can be fetched again.")
    asked.get_by_role("button", name="Remove", exact=True).click()
    expect(data).to_contain_text("not here yet")
    assert [path for path in instance.home.glob("databases/*/data/*") if path.is_file()] == []


def test_a_registry_that_is_not_believed_offers_nothing_and_leads_to_what_is_known_of_it(
    admin_page: Page, instance: LiveFacility, web: Path
) -> None:
    with signatures_are(instance, "required"):
        admin_page.goto("/facility/pipelines?tab=store")

        problem = admin_page.get_by_role("status").filter(has_text="The registry could not be read")
        expect(problem).to_contain_text("Registry signature is not valid")
        expect(problem).to_contain_text("Installed pipelines keep working.")
        expect(admin_page.get_by_role("table", name="Store")).to_have_count(0)
        looks_right(admin_page, web)

        back_to_the_desk(admin_page)
        problem.get_by_role("link", name="registry").click()
        expect(admin_page.get_by_role("heading", level=1)).to_have_text("Registry")


def test_a_registry_that_signs_nothing_is_read_with_a_warning_where_that_is_enough(
    admin_page: Page, instance: LiveFacility, registry: StandInRegistry, web: Path
) -> None:
    with signatures_are(instance, "warn"):
        admin_page.goto("/facility/pipelines?tab=store")

        expect(admin_page.get_by_text("The registry offers no pipeline")).to_be_visible()
        warned = admin_page.get_by_role("status").filter(has_text="Registry signature is not valid")
        expect(warned.get_by_role("button", name="Try again")).to_be_visible()
        looks_right(admin_page, web)
