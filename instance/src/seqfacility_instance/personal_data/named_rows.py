"""Every table whose rows name a person, and what is left out when they are given to that person."""

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Final

from peewee import OP, Expression, Field, ForeignKeyField

from seqfacility_instance.access.audit_chain import rows_that_name
from seqfacility_instance.core.mentions import mentions_email
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.tables.base import Table
from seqfacility_instance.tables.events import RecordedEvent
from seqfacility_instance.tables.mail import MailPreference, OutgoingMail
from seqfacility_instance.tables.messages import Notification, Ticket, TicketMessage
from seqfacility_instance.tables.orders import Order, StatusNote
from seqfacility_instance.tables.people import (
    AdminInvite,
    AuditEvent,
    DemoWorkspace,
    OidcIdentity,
    PasswordResetLink,
    Session,
    ThrottleAttempt,
    User,
)
from seqfacility_instance.tables.pipelines import PipelineConfig, PipelinePackage, PipelineRun
from seqfacility_instance.tables.results import PipelineResultSelection
from seqfacility_instance.tables.second_factors import SecondFactor
from seqfacility_instance.tables.sequencing import (
    DeliveryLink,
    SequencingArtifact,
    SequencingRun,
    SequencingUpload,
)
from seqfacility_instance.tables.site import OrderFormConfig, OrderFormVersion
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_instance.tables.studies import Study, StudyForm, StudyFormVersion
from seqfacility_instance.tables.tokens import ApiToken, Machine
from seqfacility_instance.tables.webhooks import Webhook

_LEASE: Final = frozenset({"lease_holder", "leased_until"})
_OF_A_LAUNCH: Final = _LEASE | {
    "launch_token", "weblog_address", "command", "output_tail", "error_tail",
    "pid", "process_started_ticks", "boot_id", "job_host", "pid_namespace", "queue_host",
}  # fmt: skip

WITHHELD: Final[dict[type[Table], frozenset[str]]] = {
    AdminInvite: frozenset({"code_hash"}),
    ApiToken: frozenset({"token_hash"}),
    AuditEvent: frozenset(
        {"personal_salt", "personal_digest", "address_salt", "address_digest", "digest", "hash"}
    ),
    DeliveryLink: frozenset({"token_hash"}),
    DemoWorkspace: frozenset({"token_hash"}),
    Machine: frozenset(),
    MailPreference: frozenset(),
    Notification: frozenset(),
    OidcIdentity: frozenset(),
    Order: frozenset(),
    OrderFormConfig: frozenset({"schema"}),
    OrderFormVersion: frozenset({"schema"}),
    OutgoingMail: frozenset({"sealed"}),
    PasswordResetLink: frozenset({"token_hash"}),
    PipelineConfig: frozenset({"config"}),
    PipelinePackage: frozenset({"folder"}),
    PipelineResultSelection: frozenset(),
    PipelineRun: _OF_A_LAUNCH | {"run_folder", "technical_files", "config"},
    RecordedEvent: frozenset(),
    SecondFactor: frozenset({"sealed_secret", "last_counter", "recovery_hashes"}),
    SequencingArtifact: frozenset(),
    SequencingRun: frozenset({"folder_path"}),
    SequencingUpload: frozenset({"temp_path"}),
    Session: frozenset({"token_hash"}),
    StatusNote: frozenset(),
    StreamRun: _LEASE | {"output_dir", "directory_identity"},
    Study: frozenset(),
    StudyForm: frozenset({"fields", "groups"}),
    StudyFormVersion: frozenset({"fields", "groups"}),
    Ticket: frozenset(),
    TicketMessage: frozenset(),
    User: frozenset({"password_hash"}),
    Webhook: frozenset({"sealed_secret"}),
}
"""The columns of each table that its rows keep for themselves: secrets, their hashes, and what is about the
facility and not about a person. A table with a column for a user has to be here. Decision: G875.
"""

_EMAILS: Final[dict[type[Table], Field]] = {
    AdminInvite: AdminInvite.email,
    OutgoingMail: OutgoingMail.address,
    ThrottleAttempt: ThrottleAttempt.subject,
}
"""Columns that hold an e-mail, perhaps of somebody without an account."""


IDS: Final[dict[type[Table], tuple[Field, ...]]] = {
    AuditEvent: (AuditEvent.actor_id, AuditEvent.object_id),
    RecordedEvent: (RecordedEvent.owner_id, RecordedEvent.actor_id),
    User: (User.id,),
}
"""Columns that hold the id of a user and are no reference: the row outlives the account."""


def people_columns(table: type[Table]) -> list[Field]:
    """Return the columns of a table that name a user."""
    fields = table._meta.sorted_fields  # noqa: SLF001  # Peewee's public place for this
    references = [field for field in fields if isinstance(field, ForeignKeyField) and field.rel_model is User]
    return [*references, *IDS.get(table, ())]


def rows_about(user: User) -> Iterator[tuple[type[Table], list[Table]]]:
    """Give, table by table, the rows that name somebody by account or by e-mail."""
    tables: list[type[Table]] = [*WITHHELD, ThrottleAttempt]
    for table in tables:
        conditions = [Expression(field, OP.EQ, user.id) for field in people_columns(table)]
        if table in _EMAILS:
            conditions.append(Expression(_EMAILS[table], OP.EQ, user.email))
        if table is AuditEvent:
            conditions.append(AuditEvent.id.in_(rows_that_name([user.email])))
        yield table, list(table.select().where(reduce(or_, conditions)))


def withheld_of_others(row: Table, user: User) -> dict[str, object]:
    """Return the columns of a row about somebody that tell of somebody else, with what is given instead.

    An address belongs to whoever was signed in. What an admin is told of a registration, and whom an admin
    invites, is about the person who registers or is invited.

    Decision: G881.
    """
    if isinstance(row, AuditEvent) and row.actor_id != user.id:
        is_named = mentions_email(row.personal, [user.email])
        others: dict[str, object] = {} if row.actor_id is None else {"address": None}
        return others if is_named else {**others, "personal": None}
    if isinstance(row, AdminInvite) and row.email != user.email:
        return {"email": None}
    if isinstance(row, OutgoingMail) and row.kind is MailKind.REGISTRATION_WAITING:
        return {} if mentions_email(row.facts, [user.email]) else {"facts": {}}
    return {}
