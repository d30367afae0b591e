"""The facility's own settings, forms, checklists, catalog, and what its processes share."""

from typing import TYPE_CHECKING

from peewee import BooleanField, CharField, ForeignKeyField, IntegerField, TextField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.site import JobStatus, ProcessName
from seqfacility_instance.tables.base import Entity, Table
from seqfacility_instance.tables.fields import ID_MAX_LENGTH, EnumField, JsonField, TimestampField
from seqfacility_instance.tables.people import User

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import OptionalKey


class SiteSettings(Table):
    """The one row (`id` is `site`) of settings; saved by compare-and-swap on `row_version`.

    `modules_config` holds the stored map and the global switch, `extra_settings` one object per
    section. `bootstrap_accounts` is what `seqfacility init` reported. Decision: G42, G38.
    """

    id = CharField(max_length=ID_MAX_LENGTH, primary_key=True, default="site")
    modules_config = JsonField(dict[str, object], default=dict)
    extra_settings = JsonField(dict[str, object], default=dict)
    bootstrap_accounts = JsonField(dict[str, object], null=True)
    row_version = IntegerField(default=1)
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)


class SiteSecret(Table):
    """A setting that is a secret, encrypted with a key that is not in the database. Decision: G42."""

    name = CharField(max_length=64, primary_key=True)
    ciphertext = TextField()
    updated_at = TimestampField(default=system_now)


class OrderFormConfig(Table):
    """The one row (`id` is `order-form`) of the order form in force. Decision: G55.

    `schema` holds fields, groups and enabledMixsChecklists; no row means the built-in form, version 1.
    """

    id = CharField(max_length=ID_MAX_LENGTH, primary_key=True, default="order-form")
    schema = JsonField(dict[str, object])
    version = IntegerField()
    updated_at = TimestampField(default=system_now)
    updated_by = ForeignKeyField(User, null=True, on_delete="SET NULL")

    if TYPE_CHECKING:
        updated_by_id: OptionalKey


class OrderFormVersion(Table):
    """Every order form that was ever saved, so that an old order's answers can be read. Decision: G55."""

    version = IntegerField(primary_key=True)
    schema = JsonField(dict[str, object])
    saved_at = TimestampField(default=system_now)
    saved_by = ForeignKeyField(User, null=True, on_delete="SET NULL")

    if TYPE_CHECKING:
        saved_by_id: OptionalKey


class MixsVersion(Table):
    """A version of the MIxS registry that was once active; it stays readable. Decision: G67."""

    version = IntegerField(primary_key=True)
    source = CharField(null=True)
    activated_at = TimestampField(default=system_now)


class MixsChecklist(Entity):
    """One checklist as it was in one version of the registry. Decision: G64.

    `fields` holds the field definitions, `normalized_name` the name as G66 compares it.
    """

    mixs_version = ForeignKeyField(MixsVersion, on_delete="CASCADE", index=False)
    accession = CharField(max_length=64)
    name = CharField()
    normalized_name = CharField()
    description = TextField(default="")
    checklist_version = CharField(null=True)
    source = CharField(null=True)
    deprecated = BooleanField(default=False)
    field_count = IntegerField()
    mandatory_count = IntegerField()
    fields = JsonField(list[dict[str, object]])
    image = CharField(null=True, max_length=2048)

    if TYPE_CHECKING:
        mixs_version_id: IntegerField[int]

    class Meta:
        """One definition per checklist and version; found by accession or by name."""

        indexes = (
            (("mixs_version", "accession"), True),
            (("mixs_version", "normalized_name"), False),
        )


class MixsAvailability(Table):
    """A checklist that an admin switched off or on; it outlives versions. Decision: G70."""

    accession = CharField(max_length=64, primary_key=True)
    available = BooleanField()
    updated_at = TimestampField(default=system_now)


class MixsRegistry(Table):
    """The one row (`id` is `mixs`) that says which version is active. Decision: G69, G70."""

    id = CharField(max_length=ID_MAX_LENGTH, primary_key=True, default="mixs")
    active_version = ForeignKeyField(MixsVersion, on_delete="RESTRICT")
    last_checked_at = TimestampField(null=True)
    updated_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        active_version_id: IntegerField[int]


class CatalogImage(Table):
    """An image that a catalog names at `address`, as it was when it was fetched. Decision: G586.

    `name` is what it has here: the digest of its content and what it is. `content` is in Base64, so that it
    is copied and compared like every other text. `named_at` is the last sync whose catalog named it.
    """

    address = CharField(max_length=2048, primary_key=True)
    name = CharField(max_length=80, index=True)
    width = IntegerField()
    height = IntegerField()
    content = TextField()
    fetched_at = TimestampField()
    named_at = TimestampField()


class SequencingTechCatalog(Table):
    """The one row (`id` is `sequencing-tech`) of the stored catalog; no row means none is stored.

    WHY: a row of its own and not a part of `extra_settings`. Settings are read with nearly
    every request, the catalog is large and seldom read, and a sync must not collide with an
    admin who saves settings. `upstream` is what the registry says of its items. Decision: G42, G223, G1047.
    """

    id = CharField(max_length=ID_MAX_LENGTH, primary_key=True, default="sequencing-tech")
    document = JsonField(dict[str, object])
    version = IntegerField(default=0)
    sync_url = CharField(null=True, max_length=2048)
    last_synced_at = TimestampField(null=True)
    upstream = JsonField(dict[str, object], null=True)
    row_version = IntegerField(default=1)
    updated_at = TimestampField(default=system_now)


class NamedLease(Table):
    """Something that one process at a time may do, until `leased_until` at the latest. Decision: G264, G228.

    `failed_at` remembers that the last holder could not do it.
    """

    name = CharField(max_length=128, primary_key=True)
    holder = CharField(max_length=128, null=True)
    leased_until = TimestampField(null=True)
    failed_at = TimestampField(null=True)


class ProcessHeartbeat(Entity):
    """The heartbeat of one process; `instance` tells two of the same name apart. Decision: G49, G463.

    `engines` is what a worker saw of the workflow engines, by engine; `release` that of the running code.
    """

    name = EnumField(ProcessName)
    instance = CharField(max_length=128)
    started_at = TimestampField(default=system_now)
    last_heartbeat_at = TimestampField(default=system_now)
    release = CharField(max_length=64, null=True)
    engines = JsonField(dict[str, object], null=True)

    class Meta:
        """One row per process."""

        indexes = ((("name", "instance"), True), (("name", "last_heartbeat_at"), False))


class BackgroundJob(Entity):
    """A job that outlives the request that queued it. Decision: G107, G221, G262.

    A worker takes it by moving `waiting` to `running` with a lease of its own (`lease_holder`,
    `leased_until`); a job whose lease ran out is free again. `dedupe_key` is unique among
    unfinished jobs, so asking twice makes one job.
    """

    kind = CharField(max_length=64)
    payload = JsonField(dict[str, object], default=dict)
    dedupe_key = CharField(null=True)
    status = EnumField(JobStatus, default=JobStatus.WAITING)
    attempts = IntegerField(default=0)
    run_after = TimestampField(default=system_now)
    lease_holder = CharField(max_length=128, null=True)
    leased_until = TimestampField(null=True)
    last_error = TextField(null=True)
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)
    finished_at = TimestampField(null=True)

    class Meta:
        """The next job to do, and the counts of the health page."""

        indexes = ((("status", "run_after", "id"), False), (("kind", "status"), False))


BackgroundJob.add_index(
    BackgroundJob.dedupe_key,
    unique=True,
    where=BackgroundJob.status.in_([JobStatus.WAITING, JobStatus.RUNNING]),
    name="background_jobs_one_unfinished",
)
