"""A facility that has a mail server, and turns of its worker."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.mail_server import MailServer, mail_server

URL = "https://seq.lab.test"
FROM = "sequencing@lab.test"


@dataclass
class Posted:
    """A facility with mail, and the server that it is given to."""

    facility: Facility
    server: MailServer

    def turn(self) -> None:
        """Let the worker do all that is due."""
        while self.facility.services.worker.tick(self.facility.clock.now()):
            pass

    def delivered(self) -> list[EmailMessage]:
        """Let the worker do all that is due; return the mails that came since the last call."""
        self.turn()
        taken = list(self.server.taken)
        self.server.taken.clear()
        return taken

    def failed(self) -> list[dict[str, object]]:
        answer = self.facility.admin.get("/api/admin/mail")
        assert answer.status_code == 200, answer.text
        return list(answer.json["failed"])

    def waiting(self) -> int:
        return int(self.facility.admin.get("/api/admin/mail").json["waiting"])


def settings_of(server: MailServer, **changes: object) -> dict[str, object]:
    return {"host": "127.0.0.1", "port": server.port, "security": "none", "from": FROM, **changes}


SetUp = Callable[..., None]


@pytest.fixture
def set_up(facility: Facility) -> SetUp:
    """Save settings of mail over the API, as an admin does."""

    def save(server: MailServer, **changes: object) -> None:
        answer = facility.admin.patch("/api/admin/settings/mail", settings_of(server, **changes))
        assert answer.status_code == 200, answer.text

    facility.services.mail_sender.public_url = URL
    return save


@pytest.fixture
def posted(facility: Facility, set_up: SetUp) -> Iterator[Posted]:
    with mail_server() as server:
        set_up(server)
        yield Posted(facility, server)


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A certificate that this process trusts."""
    from seqfacility_testkit.mail_server import make_certificate

    file = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    return file
