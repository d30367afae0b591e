"""What people choose of mail, and what an admin sees of mail that could not be sent."""

from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import LiveFacilityAdmin, SignedIn
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.mail import MailKind, MailTiming
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.mail import store
from seqfacility_instance.mail.errors import MailNotFailed
from seqfacility_instance.mail.letters import Letterhead
from seqfacility_instance.mail.rules import default_timing, kinds_for
from seqfacility_instance.outgoing import store as outgoing
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.mail import OutgoingMail


@dataclass(frozen=True, slots=True)
class Mail:
    """Preferences of everybody, and the admin's list of failures."""

    facility: FacilitySettings
    clock: Clock

    def preferences(self, caller: SignedIn) -> dict[MailKind, MailTiming]:
        """Return when the caller is told of each kind that there is a choice for. Decision: G840."""
        chosen = store.preferences(caller.user_id)
        return {kind: chosen.get(kind, default_timing(kind)) for kind in kinds_for(is_admin=caller.is_admin)}

    def choose(self, caller: SignedIn, choices: Mapping[MailKind, MailTiming]) -> dict[MailKind, MailTiming]:
        """Change the choices that are named; the others stay. Decision: G840."""
        with database.atomic():
            for kind, timing in choices.items():
                store.save_preference(caller.user_id, kind, timing)
        return self.preferences(caller)

    def failed(self) -> list[tuple[OutgoingMail, str]]:
        """List what could not be sent, newest first, each with its subject. Decision: G839."""
        head = Letterhead(self.facility.access().site_name, "", "")
        return [(mail, head.subject(mail.kind, store.facts_of(mail))) for mail in store.list_failed()]

    def waiting(self) -> int:
        return store.count_mails(SendingStatus.WAITING)

    def retry(self, caller: LiveFacilityAdmin, mail_id: str) -> None:
        """Let a mail that has failed be sent again; raises `MailNotFailed`. Decision: G839."""
        now = self.clock.now()
        with database.atomic():
            if not outgoing.claim_again(OutgoingMail, mail_id, [SendingStatus.FAILED], now):
                raise MailNotFailed
            audit.record(caller, AuditAction.MAIL_RESENT, "mail", mail_id, now)
