"""Orders with their samples, sampleset and notes."""

from typing import TYPE_CHECKING

from peewee import SQL, CharField, ForeignKeyField, Function, IntegerField, TextField, fn

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.orders import NoteType, OrderStatus
from seqfacility_instance.tables.base import Entity, Table
from seqfacility_instance.tables.fields import EnumField, JsonField, TimestampField
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.studies import Study

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import Key, OptionalKey


class OrderNumberCounter(Table):
    """How many order numbers a UTC day (`YYYYMMDD`) has given out. Decision: G73."""

    day = CharField(max_length=8, primary_key=True)
    last_count = IntegerField()


class Order(Entity):
    """A sequencing order. Spec: instance, Order. Decision: G72.

    The counts are kept by triggers of the database, see the migrations 0001 and 0012: samples, active reads,
    and those of the active reads that are cleaned, have both files, one, or a problem. No code of ours writes
    them.
    """

    order_number = CharField(max_length=32, unique=True)
    name = CharField(null=True)
    status = EnumField(OrderStatus, default=OrderStatus.DRAFT)
    platform = CharField(null=True)
    library_strategy = CharField(null=True)
    library_source = CharField(null=True)
    custom_fields = JsonField(dict[str, object], default=dict)
    user = ForeignKeyField(User, on_delete="RESTRICT", index=False)
    sequencing_files_published_at = TimestampField(null=True)
    published_by = ForeignKeyField(User, null=True, on_delete="SET NULL")
    form_version = IntegerField()
    sample_count = IntegerField(default=0)
    active_read_count = IntegerField(default=0)
    cleaned_read_count = IntegerField(default=0)
    paired_read_count = IntegerField(default=0)
    single_read_count = IntegerField(default=0)
    problem_read_count = IntegerField(default=0)
    status_updated_at = TimestampField(default=system_now)
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        user_id: Key
        published_by_id: OptionalKey

    class Meta:
        """The list of an owner and of an admin, newest first, by status, by platform; what changed last."""

        indexes = (
            (("user", "created_at", "id"), False),
            (("status", "created_at", "id"), False),
            (("platform", "created_at", "id"), False),
            (("created_at", "id"), False),
            (("updated_at", "id"), False),
        )

    @classmethod
    def name_in_order(cls) -> Function:
        """Return by what orders are put in order of their names; the words of the index `orders_named`.

        WHY: a nameless order counts as one with an empty name: the engines disagree on where NULL belongs.
        """
        return fn.LOWER(fn.COALESCE(cls.name, SQL("''")))


# The orders that somebody works on: what is done or given away is not among them, however many these are.
Order.add_index(
    Order.created_at,
    Order.id,
    where=(Order.status == OrderStatus.SUBMITTED) & Order.sequencing_files_published_at.is_null(),
    name="orders_open",
)


Order.add_index(Order.name_in_order(), Order.id, name="orders_named")

# The orders that were delivered in a month, for its figures.
Order.add_index(
    Order.sequencing_files_published_at,
    where=Order.sequencing_files_published_at.is_null(False),
    name="orders_published",
)


class StatusNote(Entity):
    """A note in the history of an order. Decision: G77."""

    order = ForeignKeyField(Order, on_delete="CASCADE", index=False)
    note_type = EnumField(NoteType)
    content = TextField()
    user = ForeignKeyField(User, null=True, on_delete="SET NULL")
    created_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        order_id: Key
        user_id: OptionalKey

    class Meta:
        """The notes of an order, newest first."""

        indexes = ((("order", "created_at", "id"), False),)


# The orders that were submitted in a month, for its figures.
# HAZARD: with the kind of note first, SQLite takes it for the notes of an order, too: it reads all of a kind.
StatusNote.add_index(StatusNote.created_at, name="status_notes_created")


class Sampleset(Entity):
    """What an order asks about its samples. Spec: instance, Other stored entities. Decision: G81."""

    order = ForeignKeyField(Order, unique=True, on_delete="CASCADE")
    checklists = JsonField(list[str], default=list)
    selected_fields = JsonField(list[str], null=True)
    field_overrides = JsonField(dict[str, object], null=True)
    sample_type = IntegerField(default=1)

    if TYPE_CHECKING:
        order_id: Key


class Sample(Entity):
    """A sample of an order. Spec: instance, Sample. Decision: G78.

    `sample_code` is what the API document calls the sample's own `sampleId`; a `sample_id`
    of any other table is the database id.
    """

    sample_code = CharField(max_length=64, unique=True)
    sample_alias = CharField(null=True)
    scientific_name = CharField(null=True)
    tax_id = CharField(null=True)
    checklist_data = JsonField(dict[str, object], default=dict)
    checklist_units = JsonField(dict[str, object], default=dict)
    custom_fields = JsonField(dict[str, object], default=dict)
    order = ForeignKeyField(Order, on_delete="CASCADE", index=False)
    study = ForeignKeyField(Study, null=True, on_delete="SET NULL", index=False)
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        order_id: Key
        study_id: OptionalKey

    class Meta:
        """The samples of an order and of a study, oldest first; all samples, newest first."""

        indexes = (
            (("order", "created_at", "id"), False),
            (("study", "created_at", "id"), False),
            (("created_at", "id"), False),
        )
