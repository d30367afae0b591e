"""Makes mail of what happens at the facility. Decision: G840."""

from collections.abc import Sequence
from datetime import datetime

from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.mail import store
from seqfacility_instance.mail.outbox import tell
from seqfacility_instance.tables.events import RecordedEvent


def queue_event_mail(event: RecordedEvent, now: datetime) -> None:
    """Queue a mail to each whom an event concerns; nobody is told of an act of their own. Decision: G840."""
    facts = dict(event.detail)
    if event.kind is FacilityEvent.MESSAGE_CREATED:
        facts["subject"] = store.subject_of_ticket(str(facts["ticketId"]))
    people = [user_id for user_id in _concerned(event) if user_id != event.actor_id]
    tell(MailKind(event.kind.value), now, people, facts, event.id)


def _concerned(event: RecordedEvent) -> Sequence[str]:
    """Return whom an event concerns.

    Of files that arrive the owner is told by the release, and of a run by its selection: before that they are
    the facility's.
    """
    match event.kind:
        case FacilityEvent.ORDER_SUBMITTED | FacilityEvent.READS_COMPLETE:
            return store.list_admins()
        case FacilityEvent.RUN_COMPLETED | FacilityEvent.RUN_FAILED:
            return [str(event.detail["madeBy"])]
        case FacilityEvent.MESSAGE_CREATED if event.actor_id == event.owner_id:
            return store.list_admins()
        case FacilityEvent.ORDER_STATUS if (
            event.detail["to"] == "SUBMITTED" and event.detail["from"] == "DRAFT"
        ):
            return []
        case _:
            return [event.owner_id]
