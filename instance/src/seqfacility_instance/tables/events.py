"""What happened at the facility, until everybody who subscribes to it has it."""

from peewee import CharField, IntegerField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.fields import ID_MAX_LENGTH, EnumField, JsonField, TimestampField


class RecordedEvent(Entity):
    """One event, written in the transaction of the act. Decision: G835.

    The ids refer to nothing, since an event outlives its object. `owner_id` is whose order, study or ticket
    it is about, `actor_id` who did it, if somebody did. The row goes in the transaction in which all
    subscribers get it; `failures` counts the attempts that failed.
    """

    kind = EnumField(FacilityEvent)
    owner_id = CharField(max_length=ID_MAX_LENGTH)
    actor_id = CharField(max_length=ID_MAX_LENGTH, null=True)
    detail = JsonField(dict[str, object], default=dict)
    created_at = TimestampField(default=system_now)
    failures = IntegerField(default=0)

    class Meta:
        """Named after what it holds; `FacilityEvent` is the enum."""

        table_name = "facility_events"
