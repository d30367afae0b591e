"""Accounts, sessions, throttling, invites, departments, the audit trail and demo workspaces."""

from typing import TYPE_CHECKING

from peewee import BigIntegerField, BooleanField, CharField, ForeignKeyField, IntegerField, TextField

from seqfacility_instance.core.clock import system_now
from seqfacility_instance.core.vocabulary.people import ResearcherRole, Role
from seqfacility_instance.tables.base import Entity
from seqfacility_instance.tables.fields import ID_MAX_LENGTH, EnumField, JsonField, TimestampField

if TYPE_CHECKING:
    from seqfacility_instance.tables.base import Key, OptionalKey


class Department(Entity):
    """A department that users may belong to; it grants nothing. Decision: G32."""

    name = CharField(unique=True)
    description = TextField(null=True)
    is_active = BooleanField(default=True)
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)


class User(Entity):
    """An account; deactivated, never deleted, those of the demo and declined ones apart.

    Spec: instance, User. Decision: G33, G410.
    """

    email = CharField(unique=True)
    password_hash = CharField()
    first_name = CharField()
    last_name = CharField()
    role = EnumField(Role, default=Role.RESEARCHER)
    researcher_role = EnumField(ResearcherRole, null=True)
    institution = CharField(null=True)
    department = ForeignKeyField(Department, null=True, on_delete="RESTRICT")
    is_active = BooleanField(default=True)
    is_demo = BooleanField(default=False)
    must_change_password = BooleanField(default=False)
    last_sign_in_at = TimestampField(null=True)
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)
    pending_since = TimestampField(null=True)
    """Since when the account waits for an admin's approval; it is not active meanwhile. Decision: G410."""

    if TYPE_CHECKING:
        department_id: OptionalKey

    class Meta:
        """The admin's list: newest first, by role."""

        indexes = ((("created_at", "id"), False), (("role", "created_at", "id"), False))


class DemoWorkspace(Entity):
    """A visitor's own corner of the demo. Spec: instance, Other stored entities. Decision: G246."""

    token_hash = CharField(unique=True)
    user = ForeignKeyField(User, unique=True, on_delete="CASCADE")
    admin_user = ForeignKeyField(User, null=True, unique=True, on_delete="CASCADE")
    seed_version = IntegerField()
    last_seen_at = TimestampField()
    expires_at = TimestampField(index=True)
    created_at = TimestampField(default=system_now)
    updated_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        user_id: Key
        admin_user_id: OptionalKey


class OidcIdentity(Entity):
    """An account's subject at an issuer; an account has one at each. Decision: G823."""

    user = ForeignKeyField(User, on_delete="CASCADE")
    issuer = CharField()
    subject = CharField()
    gave_admin = BooleanField(default=False)
    """Whether the provider made the account an admin, and so may take that back. Decision: G825."""

    created_at = TimestampField(default=system_now)

    if TYPE_CHECKING:
        user_id: Key

    class Meta:
        """Nobody is two people, and no two people are one."""

        indexes = ((("issuer", "subject"), True), (("user", "issuer"), True))


class OidcUse(Entity):
    """A state of a sign-in or an id of a logout token that was used, by its hash. Decision: G821, G827."""

    used_hash = CharField(unique=True)
    expires_at = TimestampField(index=True)


class Session(Entity):
    """One signed-in browser; only the SHA-256 of its cookie is here. Decision: G25."""

    token_hash = CharField(unique=True)
    user = ForeignKeyField(User, on_delete="CASCADE")
    demo_workspace = ForeignKeyField(DemoWorkspace, null=True, on_delete="CASCADE")
    address = CharField(null=True)
    created_at = TimestampField(default=system_now)
    last_seen_at = TimestampField()
    expires_at = TimestampField(index=True)
    user_agent = CharField(null=True)
    confirmed_at = TimestampField(null=True)
    """When its person gave the password last. Decision: G810."""
    by_provider = BooleanField(default=False)
    """Whether a provider of identities has signed the person in. Decision: G817."""
    identity = ForeignKeyField(OidcIdentity, null=True, on_delete="CASCADE")
    """Who signed in at the provider; whoever is unlinked is signed out by that. Decision: G827, G829."""
    sid = CharField(null=True)
    """The provider's own id of that sign-in, which its logout may name. Decision: G827."""

    if TYPE_CHECKING:
        user_id: Key
        demo_workspace_id: OptionalKey


class ThrottleAttempt(Entity):
    """One counted attempt; the reader decides how many are too many.

    `limit_name` is the thing that is limited (`sign-in:email`, `register:address`), `subject`
    whom it counts for. A window is a range of `at`, so every limit may have its own length,
    and all server processes see the same rows. Decision: G29, G255.
    """

    limit_name = CharField(max_length=64)
    subject = CharField()
    at = TimestampField()

    class Meta:
        """Counting a window, and throwing away what is older than every window."""

        indexes = ((("limit_name", "subject", "at"), False), (("at",), False))


class PasswordResetLink(Entity):
    """A link that sets a password once; only the SHA-256 of its token is here. Decision: G33."""

    token_hash = CharField(unique=True)
    user = ForeignKeyField(User, on_delete="CASCADE")
    created_by = ForeignKeyField(User, null=True, on_delete="SET NULL")
    created_at = TimestampField(default=system_now)
    expires_at = TimestampField()
    used_at = TimestampField(null=True)

    if TYPE_CHECKING:
        user_id: Key
        created_by_id: OptionalKey


class AdminInvite(Entity):
    """A code that makes one facility admin account; only its hash is here. Decision: G31."""

    code_hash = CharField(unique=True)
    code_ending = CharField(max_length=16)
    email = CharField(null=True)
    expires_at = TimestampField()
    created_by = ForeignKeyField(User, on_delete="RESTRICT")
    created_at = TimestampField(default=system_now, index=True)
    used_at = TimestampField(null=True)
    used_by = ForeignKeyField(User, null=True, on_delete="SET NULL")

    if TYPE_CHECKING:
        created_by_id: Key
        used_by_id: OptionalKey


class AuditEvent(Entity):
    """One thing that somebody did; rows are added and never changed, by triggers and a chain of hashes.

    `hash` is made of that of the row before, `sequence` and `digest`, which is made of the other columns: of
    `personal`, the part of the detail that names a person, and `address` by salted digests, so that these two
    can be erased.

    Decision: G22, G860.
    """

    at = TimestampField(default=system_now)
    # WHY: no foreign key: rows outlive accounts, and none of its actions may change a row.
    actor_id = CharField(max_length=ID_MAX_LENGTH, null=True, index=True)
    action = CharField(max_length=64)
    object_type = CharField(max_length=64)
    object_id = CharField(null=True)
    detail = JsonField(dict[str, object], default=dict)
    personal = JsonField(dict[str, object], null=True)
    personal_salt = CharField(max_length=64, null=True)
    personal_digest = CharField(max_length=64, null=True)
    address = CharField(null=True)
    address_salt = CharField(max_length=64, null=True)
    address_digest = CharField(max_length=64, null=True)
    digest = CharField(max_length=64)
    sequence = BigIntegerField(null=True, unique=True)
    """Null between insert and commit, on PostgreSQL alone."""
    hash = CharField(max_length=64, null=True)

    if TYPE_CHECKING:
        actor: User | None
        """Who did it, in rows that were read together with their actors."""

    class Meta:
        """The admin's list: newest first, by action, by object."""

        indexes = (
            (("at", "id"), False),
            (("action", "at", "id"), False),
            (("object_id", "at", "id"), False),
        )


class AuditCheck(Entity):
    """What the last verification of the whole audit trail has found; one row. Decision: G864."""

    completed_at = TimestampField(null=True)
    """When the last round that found every row intact had ended."""
    first_broken = CharField(max_length=ID_MAX_LENGTH, null=True)
