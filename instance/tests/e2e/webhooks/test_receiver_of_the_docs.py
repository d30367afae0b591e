"""The receiver of docs/how_to/webhooks.md, run as it stands there, beside a real service and worker."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.live_uploads import live_order
from seqfacility_testkit.waiting import wait_for

PAGE = Path(__file__).resolve().parents[4] / "docs/how_to/webhooks.md"


class DocumentedReceiver:
    """The program of the page on a free port; it is told its secret when it starts."""

    def __init__(self, folder: Path) -> None:
        (found,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
        self.program = folder / "receiver.py"
        self.program.write_text(found, "utf-8")
        self.output = folder / "receiver.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, secret: str, port: str = "0") -> str:
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, str(self.program)],
                env={"WEBHOOK_SECRET": secret, "PORT": port},
                stdout=output,
                stderr=subprocess.DEVNULL,
            )
        return wait_for(lambda: re.search(r"http://[\d.:]+", self.printed()), "the receiver listens")[0]

    def printed(self) -> str:
        return self.output.read_text("utf-8")

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def receiver(tmp_path: Path) -> Iterator[DocumentedReceiver]:
    receiver = DocumentedReceiver(tmp_path)
    yield receiver
    receiver.stop()


def test_the_receiver_of_the_page_takes_what_is_signed_once_and_nothing_else(
    live_facility: LiveFacility, receiver: DocumentedReceiver
) -> None:
    admin = live_facility.sign_in()
    admin.patch("/api/admin/settings/webhooks", json={"allowPrivateNetworks": True}).raise_for_status()
    url = receiver.start("whsec_" + "A" * 43 + "=")
    made = admin.post("/api/admin/webhooks", json={"url": url, "events": ["order.submitted"]})
    assert made.status_code == 201, made.text
    webhook, secret = made.json()["webhook"]["id"], made.json()["secret"]

    order = live_order(live_facility)
    live_facility.run("worker")
    refused = wait_for(lambda: attempted(admin, webhook), "it was refused for its signature")
    assert (refused["statusCode"], refused["status"]) == (401, "waiting")
    receiver.stop()
    receiver.start(secret, url.rpartition(":")[2])
    admin.post(f"/api/admin/webhooks/{webhook}/deliveries/{refused['id']}/retry").raise_for_status()

    wait_for(lambda: order.id in receiver.printed(), "the receiver has it")
    shown = wait_for(lambda: delivered(admin, webhook), "the answer is noted")
    assert shown["id"] == refused["id"]
    assert receiver.printed().count("order.submitted") == 1
    assert requests.post(url, data=b"{}", timeout=60).status_code == 401


def attempted(admin: requests.Session, webhook: str) -> dict[str, object] | None:
    return next((one for one in listed(admin, webhook) if "statusCode" in one), None)


def delivered(admin: requests.Session, webhook: str) -> dict[str, object] | None:
    return next((one for one in listed(admin, webhook) if one["status"] == "delivered"), None)


def listed(admin: requests.Session, webhook: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = admin.get(f"/api/admin/webhooks/{webhook}/deliveries").json()[
        "deliveries"
    ]
    return found
