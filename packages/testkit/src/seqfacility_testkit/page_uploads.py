"""Uploads from the pages: folders as sequencers leave them, what a browser sent, what lies on disk then."""

import hashlib
import os
import random
import re
import signal
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import BrowserContext, Locator, Page, Request, Response, Route, expect

from seqfacility_testkit.live import LiveClient, LiveFacility
from seqfacility_testkit.live_deliveries import MATES, fastq
from seqfacility_testkit.screen_states import Held
from seqfacility_testkit.waiting import wait_until

_SESSION = re.compile(r"/sequencing/uploads/(?!plan$)([^/?]+)$")


def write_run_folder(
    folder: Path, samples: int, *, reads: int = 10, large: dict[str, int] | None = None
) -> dict[str, bytes]:
    """Write pairs of `lake-01` and so on with two files of index reads; return the pairs by name.

    `large` gives some files another size in bytes; their content is noise, which no intake is asked about.
    """
    chance = random.Random(samples)  # noqa: S311  # the same files at every run
    folder.mkdir(parents=True)
    written: dict[str, bytes] = {}
    for number in range(1, samples + 1):
        for mate in MATES:
            name = f"lake-{number:02}_S{number}_L001_{mate}_001.fastq.gz"
            size = (large or {}).get(name)
            written[name] = fastq(chance, reads) if size is None else chance.randbytes(size)
    for name, content in written.items():
        (folder / name).write_bytes(content)
    for mate in ("I1", "I2"):
        (folder / f"lake-01_S1_L001_{mate}_001.fastq.gz").write_bytes(fastq(chance, 1))
    return written


@dataclass
class SentChunks:
    """The chunks that browsers sent to sessions, as their offsets; the answered ones apart."""

    sent: list[tuple[str, int]] = field(default_factory=list)
    answered: list[tuple[str, int]] = field(default_factory=list)

    def follow(self, context: BrowserContext) -> None:
        context.on("request", self._on_request)
        context.on("response", self._on_response)

    def _on_request(self, request: Request) -> None:
        if (chunk := _chunk(request)) is not None:
            self.sent.append(chunk)

    def _on_response(self, response: Response) -> None:
        if response.status == 200 and (chunk := _chunk(response.request)) is not None:
            self.answered.append(chunk)

    def assert_nothing_came_twice(self, breaks: int, at_once: int = 3) -> None:
        """Fail when bytes were sent again that the service had acknowledged.

        A chunk that was answered begins where the one before it ended, so no two of a session have one
        offset; at each break as many chunks as are sent at once may go without their answer.
        """
        assert len(self.answered) == len(set(self.answered))
        assert len(self.sent) - len(self.answered) <= breaks * at_once, sorted(
            set(self.sent) - set(self.answered)
        )


class HeldChunks(Held):
    """Holds the chunks of a page that begin at `offset` bytes or later, so that their files stay half-way.

    However slow or quick the machine is, the service has a part of them, and no more until `release`.
    """

    def __init__(self, page: Page, offset: int = 262_144) -> None:
        super().__init__()
        self._page = page
        self._offset = offset
        page.route(_SESSION, self)

    def __call__(self, route: Route) -> None:
        chunk = _chunk(route.request)
        if chunk is not None and chunk[1] >= self._offset:
            super().__call__(route)
        else:
            route.continue_()

    def wait(self, files: int = 1) -> None:
        """Wait until so many files are half-way."""

        def are_held() -> bool:
            # WHY: only while the page is waited for are its requests handled.
            self._page.wait_for_timeout(50)
            return len({_chunk(route.request) for route in self.waiting}) >= files

        wait_until(are_held, f"{files} files are half-way")


def _chunk(request: Request) -> tuple[str, int] | None:
    if request.method != "PATCH" or (found := _SESSION.search(request.url)) is None:
        return None
    return found[1], int(request.headers["x-service-offset"])


def dock_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Uploads")


def chosen_folder(page: Page, folder: Path, patience_ms: float = 30_000) -> Locator:
    """Press `Add reads` and `Choose folder`, and return the plan that comes."""
    page.get_by_role("button", name="Add reads").click()
    with page.expect_file_chooser() as choosing:
        page.get_by_label("Choose folder").click()
    choosing.value.set_files(folder)
    plan = page.get_by_role("dialog", name="Upload plan")
    expect(plan.get_by_role("status").first).to_contain_text("found", timeout=patience_ms)
    return plan


def start_upload(plan: Locator) -> None:
    """Press `Start upload` when it may be pressed."""
    start = plan.get_by_role("button", name="Start upload")
    expect(start).not_to_have_attribute("aria-disabled", "true")
    start.click()
    expect(plan).to_have_count(0)


def limit_chunks(admin: LiveClient, most_bytes: int) -> None:
    """Let chunks be so small that a file is long on its way, and can be met in its middle."""
    limits = {"recommendedChunkBytes": 65_536, "maxChunkBytes": most_bytes}
    answer = admin.patch("/api/admin/settings/uploads", json=limits)
    assert answer.ok, answer.text


def wait_for_the_middle(admin: LiveClient, order_id: str, name: str) -> None:
    """Wait until the service has something of a file, and not all."""

    def is_in_the_middle() -> bool:
        sessions = admin.get(f"/api/orders/{order_id}/sequencing/uploads").json()["uploads"]
        return any(
            one["originalName"] == name and 0 < one["receivedSize"] < one["expectedSize"] for one in sessions
        )

    wait_until(is_in_the_middle, f"{name} is half-way")


def assert_filed(instance: LiveFacility, admin: LiveClient, order_id: str, content: dict[str, bytes]) -> None:
    """Compare every file on disk with what was sent, and the MD5 that its session has."""
    sessions = admin.get(f"/api/orders/{order_id}/sequencing/uploads").json()["uploads"]
    filed = {one["originalName"]: one for one in sessions if one["status"] == "COMPLETED"}
    assert filed.keys() == content.keys()
    assert len(sessions) == len(content)
    for name, sent in content.items():
        on_disk = (instance.home / "data" / filed[name]["finalPath"]).read_bytes()
        md5 = hashlib.md5(sent, usedforsecurity=False).hexdigest()
        assert hashlib.md5(on_disk, usedforsecurity=False).hexdigest() == md5, name
        assert filed[name]["checksumComputed"] == md5


def kill_browser(profile: Path) -> None:
    """Kill the processes of the browser that has this profile, as a crash would."""
    for place in Path("/proc").iterdir():
        if not place.name.isdigit():
            continue
        try:
            words = (place / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if f"--user-data-dir={profile}".encode() in words and not any(b"--type=" in one for one in words):
            os.kill(int(place.name), signal.SIGKILL)
