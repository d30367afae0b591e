"""Makes mail of what happens at the facility. Decision: G840."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.mail import store
from seqfacility_instance.mail.outbox import tell
from seqfacility_instance.mail.rules import OF_EVENT
from seqfacility_instance.tables.events import RecordedEvent


@dataclass(frozen=True, slots=True)
class MailSubscriber:
    """Queues for each event a mail to those whom it concerns; nobody is told of an act of their own."""

    def receive(self, event: RecordedEvent, now: datetime) -> None:
        """Queue the mails of one event. Decision: G840."""
        facts = dict(event.detail)
        if event.kind is FacilityEvent.MESSAGE_CREATED:
            facts["subject"] = store.subject_of_ticket(str(facts["ticketId"]))
        people = [user_id for user_id in _concerned(event) if user_id != event.actor_id]
        tell(OF_EVENT[event.kind], now, people, facts, event.id)


def _concerned(event: RecordedEvent) -> Sequence[str]:
    """Return whom an event concerns.

    Of files that arrive the owner is told by the release, and of a run by its selection: before that they are
    the facility's.
    """
    match event.kind:
        case FacilityEvent.ORDER_SUBMITTED | FacilityEvent.READS_COMPLETE:
            return store.list_admins()
        case FacilityEvent.RUN_COMPLETED | FacilityEvent.RUN_FAILED:
            starter = store.starter_of_run(event.object_id)
            return [] if starter is None else [starter]
        case FacilityEvent.MESSAGE_CREATED if event.actor_id == event.owner_id:
            return store.list_admins()
        case FacilityEvent.ORDER_STATUS if (
            event.detail["to"] == "SUBMITTED" and event.detail["from"] == "DRAFT"
        ):
            return []
        case _:
            return [event.owner_id]
