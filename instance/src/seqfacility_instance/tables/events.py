"""What happened at the facility, until everybody who subscribes to it has it."""

from peewee import CharField, IntegerField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.events import FacilityEvent
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.fields import ID_MAX_LENGTH, EnumField, JsonField, TimestampField


class RecordedEvent(Entity):
    """One event, written in the transaction of the act. Decision: G835.

    The ids refer to nothing, since an event outlives its object. `owner_id` is whose order, study or ticket
    it is about, `actor_id` who did it, if somebody did. `handed_on_at` is set in the transaction in which all
    subscribers got it; `failures` counts the attempts that failed.
    """

    kind = EnumField(FacilityEvent)
    owner_id = CharField(max_length=ID_MAX_LENGTH)
    actor_id = CharField(max_length=ID_MAX_LENGTH, null=True)
    order_id = CharField(max_length=ID_MAX_LENGTH, null=True)
    object_type = CharField(max_length=64)
    object_id = CharField(max_length=ID_MAX_LENGTH)
    detail = JsonField(dict[str, object], default=dict)
    created_at = TimestampField(default=system_now, index=True)
    handed_on_at = TimestampField(null=True)
    failures = IntegerField(default=0)

    class Meta:
        """Named after what it holds; `FacilityEvent` is the enum."""

        table_name = "facility_events"


RecordedEvent.add_index(
    RecordedEvent.id,
    where=RecordedEvent.handed_on_at.is_null(),
    name="facility_events_waiting",
)
