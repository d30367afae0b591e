"""Writes a mail: subject, plain text and HTML, from one template."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from email import policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.tables.mail import OutgoingMail

_TEMPLATE: Final = "mail.j2"
# WHY: seven bits pass through every server, however old.
_POLICY: Final = policy.SMTP.clone(cte_type="7bit")


@dataclass(frozen=True, slots=True)
class Letterhead:
    """What all mails of a facility have in common."""

    site_name: str
    sender: str
    public_url: str

    @property
    def domain(self) -> str:
        """The host at which people reach the service."""
        return urlsplit(self.public_url).hostname or "localhost"

    def write(
        self, mail: OutgoingMail, to: str, facts: Mapping[str, object], secret: str | None = None
    ) -> bytes:
        """Write a mail as it is sent; the same mail always has the same Message-ID.

        Whatever a person may have typed stays text on one line.

        Decision: G839, G843.
        """
        message = EmailMessage(policy=_POLICY)
        message["From"] = Address(one_line(self.site_name), addr_spec=self.sender)
        message["To"] = Address(addr_spec=to)
        message["Subject"] = self.subject(mail.kind, facts)
        message["Date"] = format_datetime(mail.created_at)
        message["Message-ID"] = f"<{mail.id}@{self.domain}>"
        # Programs that answer mail leave it alone.
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(self._rendered(mail.kind, facts, "text", secret))
        html = self._rendered(mail.kind, facts, "html", secret)
        message.add_alternative(html, subtype="html")
        return message.as_bytes()

    def subject(self, kind: MailKind, facts: Mapping[str, object]) -> str:
        """Return the subject, for a list too: no subject holds a secret."""
        return one_line(self._rendered(kind, facts, "subject"))

    def _rendered(
        self, kind: MailKind, facts: Mapping[str, object], form: str, secret: str | None = None
    ) -> str:
        return _template(is_html=form == "html").render(
            kind=kind.value,
            site=one_line(self.site_name),
            base=self.public_url.rstrip("/"),
            facts=self._plain(facts),
            secret=secret or "",
            form=form,
        )

    def _plain(self, facts: Mapping[str, object]) -> dict[str, object]:
        plain = {key: one_line(value) if isinstance(value, str) else value for key, value in facts.items()}
        items = facts.get("items")
        if isinstance(items, list):
            plain["items"] = [self._item(MailKind(item["kind"]), item["facts"]) for item in items]
        return plain

    def _item(self, kind: MailKind, facts: Mapping[str, object]) -> dict[str, str]:
        """Return a line of a digest, and where it leads."""
        return {name: self._rendered(kind, facts, name) for name in ("subject", "path")}


def one_line(text: str) -> str:
    """Return a text as one line of bounded length, without what cannot be seen. Decision: G843."""
    shown = "".join(character if _is_shown(character) else " " for character in text)
    line = " ".join(shown.split())
    bound = limits.MAIL_SUBJECT_MAX_CHARACTERS
    return line if len(line) <= bound else f"{line[: bound - 1]}…"


def _is_shown(character: str) -> bool:
    return unicodedata.category(character)[0] not in "CZ"


@cache
def _template(*, is_html: bool) -> Template:
    environment = Environment(
        loader=PackageLoader("seqfacility_instance.mail", "."),
        autoescape=is_html,  # noqa: S701  # in plain text nothing is escaped
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(_TEMPLATE)
