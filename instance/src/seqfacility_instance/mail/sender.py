"""Sends what waits, and makes the daily digests: a sweep of the background worker."""

import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.core.vocabulary.people import Role
from seqfacility_instance.facility_settings.sections import MailSection
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.mail import outbox, store
from seqfacility_instance.mail.letters import Letterhead
from seqfacility_instance.mail.rules import FOR_ADMINS, PAUSES, RESTS, shown_time
from seqfacility_instance.mail.smtp import (
    MailNotSent,
    MailRefused,
    MailServerFailed,
    check_address,
    hand_over,
)
from seqfacility_instance.outgoing import store as outgoing
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.mail import OutgoingMail

CHORES_EVERY: Final = timedelta(minutes=10)
_log = logging.getLogger("seqfacility.worker")


@dataclass(slots=True)
class MailSender:
    """Gives mail to the server of the settings, one to each person. Decision: G837, G839."""

    facility: FacilitySettings
    public_url: str | None
    clock: Clock
    seen: SeenKeys = field(default_factory=lambda: SeenKeys(CHORES_EVERY))
    _failures: int = 0
    _rests_until: datetime | None = None
    _test_lock: threading.Lock = field(default_factory=threading.Lock)

    def sweep(self, now: datetime) -> bool:
        """Send what is due, for some seconds at most; True when anything was done.

        After a failure of the server itself it is left alone for a while: a server that hangs would hold the
        worker up with each mail.
        """
        section = self.facility.mail()
        if self.seen.first_seen("mail", now):
            self._do_chores(now, is_on=section.is_complete)
        rests = self._rests_until is not None and now < self._rests_until
        if rests or not section.is_complete:
            return False
        did_any = False
        while self.clock.now() - now < timedelta(seconds=limits.MAIL_TURN_SECONDS):
            began = self.clock.now()
            mail = outgoing.next_due(OutgoingMail, began)
            if mail is None:
                break
            did_any = True
            if outgoing.claim_attempt(mail, PAUSES, began + limits.MAIL_LEASE, began):
                try:
                    status = self._send(section, mail, now)
                except MailNotSent as failed:
                    self._note_failure(mail, failed)
                    if isinstance(failed, MailServerFailed):
                        break
                else:
                    with database.atomic():
                        store.claim_end(mail, status, self.clock.now())
        return did_any

    def _send(self, section: MailSection, mail: OutgoingMail, now: datetime) -> SendingStatus:
        """Send a mail to where it goes now, or drop it when nobody is to get it. Raises `MailNotSent`.

        Decision: G837.
        """
        to, facts = mail.address, store.facts_of(mail)
        if mail.user_id is not None:
            user = store.find_recipient(mail.user_id)
            if user is None or (mail.kind in FOR_ADMINS and user.role is not Role.FACILITY_ADMIN):
                return SendingStatus.DROPPED
            to = user.email
        is_late = mail.due_at < now - limits.MAIL_LATE or (mail.useful_until or now) < now
        if to is None or is_late or (mail.kind is MailKind.DIGEST and not facts["total"]):
            return SendingStatus.DROPPED
        secret = None if mail.sealed is None else self.facility.secrets.open(mail.sealed)
        if mail.sealed is not None and secret is None:
            raise MailRefused("The key of the service does not open the link of this mail")
        self._hand_over(section, mail, to, facts, secret)
        self._failures, self._rests_until = 0, None
        return SendingStatus.DELIVERED

    def _hand_over(
        self,
        section: MailSection,
        mail: OutgoingMail,
        to: str,
        facts: Mapping[str, object],
        secret: str | None = None,
    ) -> str:
        """Write a mail and give it to the server; return what that said. Raises `MailNotSent`."""
        if self.public_url is None:
            raise MailRefused("SEQFACILITY_PUBLIC_URL is not set, so links would lead nowhere")
        check_address(to)
        head = Letterhead(self.facility.access().site_name, section.sender or "", self.public_url)
        return hand_over(section, head.domain, to, head.write(mail, to, facts, secret))

    def _note_failure(self, mail: OutgoingMail, failed: MailNotSent) -> None:
        now = self.clock.now()
        outgoing.note_failure(mail, str(failed), PAUSES, now, is_final=isinstance(failed, MailRefused))
        if isinstance(failed, MailServerFailed):
            _log.warning("mail %s was not sent: %s", mail.id, failed)
            self._rests_until = now + RESTS[min(self._failures, len(RESTS) - 1)]
            self._failures += 1

    def _do_chores(self, now: datetime, *, is_on: bool) -> None:
        """Queue the digests that are due, tell of links that end soon, and forget what was sent long ago."""
        with database.atomic():
            store.forget_old(now)
            if is_on:
                store.queue_digests(now)
                for link in store.ending_links(now):
                    facts = {"orderNumber": link.order.order_number, "until": shown_time(link.expires_at)}
                    topic = f"link:{link.id}"
                    outbox.tell(MailKind.DELIVERY_LINK_ENDING, now, [link.created_by_id], facts, topic)

    def send_test(self, to: str) -> str:
        """Send a test mail at once and return the reply of the server.

        Raises `MailNotSent`, also while another test mail is being sent by this process.

        Decision: G1091.
        """
        section = self.facility.mail()
        if not section.is_complete:
            raise MailNotSent("The section mail of the settings has no host or no from")
        # WHY: a server that does not answer holds a thread of ours for a minute.
        if not self._test_lock.acquire(blocking=False):
            raise MailNotSent("Another test mail is on its way")
        try:
            mail = OutgoingMail(kind=MailKind.TEST, created_at=self.clock.now())
            return self._hand_over(section, mail, to, {})
        finally:
            self._test_lock.release()
