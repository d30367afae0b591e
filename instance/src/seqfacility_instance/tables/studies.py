"""Studies, their own forms, and submissions to the public archive."""

from typing import TYPE_CHECKING

from peewee import BooleanField, CharField, ForeignKeyField, IntegerField, TextField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.orders import SubmissionEntity, SubmissionStatus, SubmissionType
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.fields import EnumField, JsonField, TimestampField
from seqfacility_instance.tables.people import User

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import Key, OptionalKey


class Study(Entity):
    """Samples that belong together scientifically. Spec: instance, Study. Decision: G82.

    `study_alias` is the study's `alias`; that word is taken, `Model.alias` is a method of Peewee.
    """

    title = CharField()
    study_alias = CharField(null=True, unique=True)
    description = TextField(null=True)
    checklist_type = CharField(max_length=64, null=True)
    study_accession_id = CharField(null=True)
    submitted = BooleanField(default=False)
    ready_for_submission = BooleanField(default=False)
    mixs_version = IntegerField()
    metadata = JsonField(dict[str, object], default=dict)
    user = ForeignKeyField(User, on_delete="RESTRICT", index=False)
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        user_id: Key

    class Meta:
        """The list of an owner and of an admin, newest first."""

        indexes = ((("user", "created_at", "id"), False), (("created_at", "id"), False))


class StudyForm(Entity):
    """The form of one study, in the place of the global one. Decision: G61."""

    study = ForeignKeyField(Study, unique=True, on_delete="CASCADE")
    fields = JsonField(list[dict[str, object]])
    groups = JsonField(list[dict[str, object]])
    updated_at = TimestampField(default=system_now)
    updated_by = ForeignKeyField(User, null=True, on_delete="SET NULL")

    if TYPE_CHECKING:
        study_id: Key
        updated_by_id: OptionalKey


class StudyFormVersion(Entity):
    """A saved version of a study form, of the global one when `study` is NULL. Decision: G1027.

    Version 1 is the form that was in force before the first stored save; it may have no author.
    """

    study = ForeignKeyField(Study, null=True, on_delete="CASCADE", index=False)
    version = IntegerField()
    fields = JsonField(list[dict[str, object]])
    groups = JsonField(list[dict[str, object]])
    saved_at = TimestampField(null=True)
    saved_by = ForeignKeyField(User, null=True, on_delete="SET NULL")

    if TYPE_CHECKING:
        study_id: OptionalKey
        saved_by_id: OptionalKey

    class Meta:
        """The versions of one form."""

        indexes = ((("study", "version"), True),)


# WHY: NULLs are distinct in a unique index, so the one above would let the global form repeat a version.
StudyFormVersion.add_index(
    StudyFormVersion.version,
    unique=True,
    where=StudyFormVersion.study.is_null(),
    name="study_form_versions_of_all",
)


class Submission(Entity):
    """One submission to the archive. Spec: instance, Other stored entities. Decision: G91."""

    submission_type = EnumField(SubmissionType)
    status = EnumField(SubmissionStatus, default=SubmissionStatus.PENDING)
    xml_content = TextField(null=True)
    response = JsonField(dict[str, object], null=True)
    accession_numbers = JsonField(dict[str, object], null=True)
    entity_type = EnumField(SubmissionEntity)
    entity_id = CharField(max_length=64)
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)

    class Meta:
        """The submissions of one study or sample."""

        indexes = ((("entity_type", "entity_id", "created_at"), False),)


Submission.add_index(
    Submission.entity_type,
    Submission.entity_id,
    Submission.submission_type,
    unique=True,
    where=Submission.status.in_([SubmissionStatus.PENDING, SubmissionStatus.SUBMITTED]),
    name="submissions_one_open",
)
