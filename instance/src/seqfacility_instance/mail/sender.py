"""Sends what waits, and makes the daily digests: two sweeps of the background worker."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.mail import outbox, store
from seqfacility_instance.mail.letters import Letterhead
from seqfacility_instance.mail.rules import FOR_ADMINS, rest_after, shown_time
from seqfacility_instance.mail.smtp import MailNotSent, MailServer, check_address, connected
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.mail import OutgoingMail

CHORES_EVERY: Final = timedelta(minutes=10)
_WITHOUT_ADDRESS: Final = "SEQFACILITY_PUBLIC_URL is not set, so links would lead nowhere"
_log = logging.getLogger("seqfacility.worker")


@dataclass(slots=True)
class MailSender:
    """Gives mail to the server of the settings, one to each person. Decision: G837, G839."""

    facility: FacilitySettings
    public_url: str | None
    clock: Clock
    holder: str
    seen: SeenKeys = field(default_factory=lambda: SeenKeys(CHORES_EVERY))
    _failures: int = 0
    _rests_until: datetime | None = None

    def sweep(self, now: datetime) -> bool:
        """Send what is due, for some seconds at most; True when anything was done.

        After a failure of the server itself it is left alone for a while: a server that hangs would hold the
        worker up with each mail.
        """
        if self.seen.first_seen("mail", now):
            self._do_chores(now)
        section = self.facility.mail()
        if not section.is_complete:
            return False
        if self._rests_until is not None and now < self._rests_until:
            return False
        head = Letterhead(self.facility.access().site_name, section.sender or "", self.public_url or "")
        did_any = False
        with ExitStack() as connections:
            server: MailServer | None = None
            for mail in self._due(now):
                did_any = True
                try:
                    found = self._addressed(mail, now)
                    if found is None:
                        store.note_dropped(mail, self.holder, self.clock.now())
                        continue
                    to, secret = found
                    letter = head.write(mail.kind, mail.facts, secret)
                    message = head.message(letter, to, mail.id, mail.created_at)
                    server = server or connections.enter_context(connected(section, head.domain))
                    server.send(to, message)
                except MailNotSent as failed:
                    self._note_failure(mail, failed)
                    if failed.is_of_server:
                        break
                else:
                    self._failures, self._rests_until = 0, None
                    store.note_sent(mail, self.holder, self.clock.now())
        return did_any

    def _due(self, now: datetime) -> Iterator[OutgoingMail]:
        while self.clock.now() - now < timedelta(seconds=limits.MAIL_TURN_SECONDS):
            mail = store.claim_next(self.holder, self.clock.now())
            if mail is None:
                return
            yield mail

    def _addressed(self, mail: OutgoingMail, now: datetime) -> tuple[str, str | None] | None:
        """Return where a mail goes now, and the secret of its link; None when nobody is to get it.

        Raises `MailNotSent`.

        Decision: G837.
        """
        to = mail.address
        if mail.user_id is not None:
            user = store.find_recipient(mail.user_id)
            if user is None or (mail.kind in FOR_ADMINS and user.role is not Role.FACILITY_ADMIN):
                return None
            to = user.email
        is_late = mail.due_at < now - limits.MAIL_LATE or (mail.useful_until or now) < now
        if to is None or is_late:
            return None
        if self.public_url is None:
            raise MailNotSent(_WITHOUT_ADDRESS, is_final=True)
        check_address(to)
        if mail.sealed is None:
            return to, None
        secret = self.facility.secrets.open(mail.sealed)
        if secret is None:
            raise MailNotSent("The key of the service does not open the link of this mail", is_final=True)
        return to, secret

    def _note_failure(self, mail: OutgoingMail, failed: MailNotSent) -> None:
        now = self.clock.now()
        store.note_failure(mail, self.holder, str(failed), now, is_final=failed.is_final)
        _log.warning("mail %s was not sent: %s", mail.id, failed)
        if failed.is_of_server:
            self._failures += 1
            self._rests_until = now + rest_after(self._failures)

    def _do_chores(self, now: datetime) -> None:
        """Make the digests that are due, tell of links that end soon, and forget what was sent long ago."""
        for user_id in store.users_with_digest(now):
            with database.atomic():
                _make_digest(user_id, now)
        with database.atomic():
            for link in store.ending_links(now):
                facts = {"orderNumber": link.order.order_number, "until": shown_time(link.expires_at)}
                topic = f"link:{link.id}"
                outbox.tell(MailKind.DELIVERY_LINK_ENDING, now, [link.created_by_id], facts, topic)
            store.forget_old(now)

    def send_test(self, to: str) -> str:
        """Send a test mail at once and return what the server said; raises `MailNotSent`."""
        section = self.facility.mail()
        if self.public_url is None:
            raise MailNotSent(_WITHOUT_ADDRESS)
        if not section.is_complete:
            raise MailNotSent("The section mail of the settings has no host or no from")
        check_address(to)
        now = self.clock.now()
        head = Letterhead(self.facility.access().site_name, section.sender or "", self.public_url)
        message = head.message(head.write(MailKind.TEST, {}), to, f"test-{now:%Y%m%d%H%M%S}", now)
        with connected(section, head.domain) as server:
            return server.send(to, message)


def _make_digest(user_id: str, now: datetime) -> None:
    """Make a digest of what its reader may still be told. Decision: G840."""
    user = store.find_recipient(user_id)
    is_admin = user is not None and user.role is Role.FACILITY_ADMIN
    taken = [mail for mail in store.take_digest(user_id, now) if is_admin or mail.kind not in FOR_ADMINS]
    if taken:
        shown = [{"kind": mail.kind.value, "facts": mail.facts} for mail in taken[: limits.MAIL_DIGEST_MAX]]
        facts = {"items": shown, "total": len(taken)}
        store.insert_mail(MailKind.DIGEST, now, {"user": user_id, "facts": facts})
