"""Enums on people: roles and audited actions.

Decision: G245. Spec: instance, What the service does; instance, User.
"""

from enum import StrEnum


class Role(StrEnum):
    RESEARCHER = "RESEARCHER"
    FACILITY_ADMIN = "FACILITY_ADMIN"


class ResearcherRole(StrEnum):
    PI = "PI"
    POSTDOC = "POSTDOC"
    PHD_STUDENT = "PHD_STUDENT"
    MASTER_STUDENT = "MASTER_STUDENT"
    TECHNICIAN = "TECHNICIAN"
    OTHER = "OTHER"


class AccountState(StrEnum):
    """The state of an account, as admins filter by it. Decision: G1085."""

    ACTIVE = "active"
    WAITING = "waiting"
    INACTIVE = "inactive"


class AccountSort(StrEnum):
    """Sort keys of a list of accounts; `-` means descending. Decision: G1085."""

    NEWEST = "-created"
    OLDEST = "created"
    NAME = "name"
    NAME_DOWN = "-name"
    SEEN_LAST = "-seen"
    SEEN_FIRST = "seen"


class Scope(StrEnum):
    """What an API token is for; `X:write` includes `X:read`, `admin` all. Decision: G801."""

    ORDERS_READ = "orders:read"
    ORDERS_WRITE = "orders:write"
    UPLOADS_WRITE = "uploads:write"
    DELIVERY_READ = "delivery:read"
    RUNS_READ = "runs:read"
    RUNS_WRITE = "runs:write"
    ADMIN = "admin"


class DemoRole(StrEnum):
    RESEARCHER = "researcher"
    ADMIN = "admin"


class AuditAction(StrEnum):
    """What is worth an audit row. Decision: G22."""

    SIGN_IN = "sign-in"
    SIGN_IN_FAILED = "sign-in-failed"
    SIGN_OUT = "sign-out"
    PASSWORD_CHANGED = "password-changed"  # noqa: S105  (a word, not a password)
    PASSWORD_RESET = "password-reset"  # noqa: S105  (the same)
    RESET_LINK_MADE = "reset-link-made"
    REGISTERED = "registered"
    REGISTERED_AGAIN = "registered-again"
    REGISTRATION_APPROVED = "registration-approved"
    REGISTRATION_DECLINED = "registration-declined"
    USER_CHANGED = "user-changed"
    ROLE_CHANGED = "role-changed"
    INVITE_MADE = "invite-made"
    INVITE_USED = "invite-used"
    INVITE_DELETED = "invite-deleted"
    DEPARTMENT_SAVED = "department-saved"
    DEPARTMENT_DELETED = "department-deleted"
    SETTINGS_SAVED = "settings-saved"
    MODULES_SAVED = "modules-saved"
    FORM_SAVED = "form-saved"
    CHECKLISTS_UPDATED = "checklists-updated"
    CATALOG_SAVED = "catalog-saved"
    PUBLISHED = "published"
    UNPUBLISHED = "unpublished"
    DOWNLOADED = "downloaded"
    DELIVERY_LINK_MADE = "delivery-link-made"
    DELIVERY_LINK_REVOKED = "delivery-link-revoked"
    ORDER_STATUS_CHANGED = "order-status-changed"
    ORDER_DELETED = "order-deleted"
    SAMPLE_DELETED = "sample-deleted"
    STUDY_DELETED = "study-deleted"
    SEQUENCING_RUN_DELETED = "sequencing-run-deleted"
    FILE_DELETED = "file-deleted"
    READ_LINKED = "read-linked"
    READ_CHANGED = "read-changed"
    DATA_CLASS_CHANGED = "data-class-changed"
    ARTIFACT_CHANGED = "artifact-changed"
    UPLOAD_COMPLETED = "upload-completed"
    UPLOAD_CANCELLED = "upload-cancelled"
    RUN_CREATED = "run-created"
    RUN_STARTED = "run-started"
    RUN_RESUMED = "run-resumed"
    RUN_CANCELLED = "run-cancelled"
    RUN_CANCELLATION_REFUSED = "run-cancellation-refused"
    RUN_DELETED = "run-deleted"
    RUN_SELECTED = "run-selected"
    RUN_UNSELECTED = "run-unselected"
    READS_PROMOTED = "reads-promoted"
    READS_FILED = "reads-filed"
    PIPELINE_INSTALLED = "pipeline-installed"
    PIPELINE_REMOVED = "pipeline-removed"
    PIPELINE_CONFIGURED = "pipeline-configured"
    PIPELINE_NOTICED = "pipeline-noticed"
    DATABASE_REQUESTED = "database-requested"
    DATABASE_REMOVED = "database-removed"
    STREAM_STARTED = "stream-started"
    STREAM_STOPPED = "stream-stopped"
    RUN_PLAN_IMPORTED = "run-plan-imported"
    PROFILE_APPLIED = "profile-applied"
    ORDER_OWNER_CHANGED = "order-owner-changed"
    USER_EXPORTED = "user-exported"
    USER_ERASED = "user-erased"
    TOKEN_MADE = "token-made"  # noqa: S105  (a word, not a token)
    TOKEN_REVOKED = "token-revoked"  # noqa: S105  (the same)
    MACHINE_MADE = "machine-made"
    MACHINE_DELETED = "machine-deleted"
    CONFIRMATION_FAILED = "confirmation-failed"
    SESSION_ENDED = "session-ended"
    SESSIONS_ENDED = "sessions-ended"
    SECOND_FACTOR_SET_UP = "second-factor-set-up"
    SECOND_FACTOR_REMOVED = "second-factor-removed"
    SECOND_FACTOR_RESET = "second-factor-reset"
    RECOVERY_CODE_USED = "recovery-code-used"
    IDENTITY_LINKED = "identity-linked"
    IDENTITY_UNLINKED = "identity-unlinked"
    REGISTRY_NOT_VERIFIED = "registry-not-verified"
    REGISTRY_TRUST_RESET = "registry-trust-reset"
    PROVIDER_SIGNED_OUT = "provider-signed-out"
    RESET_REQUESTED = "reset-requested"
    MAIL_RESENT = "mail-resent"
    AUDIT_PRUNED = "audit-pruned"
    PERSONAL_WORDS_ERASED = "personal-words-erased"
    ACCESS_DENIED = "access-denied"
    CROSS_SITE_REFUSED = "cross-site-refused"
    SIGN_IN_THROTTLED = "sign-in-throttled"
    SIGN_IN_WITHOUT_CODE = "sign-in-without-code"
    THROTTLED = "throttled"
    PASSWORD_CHANGE_FAILED = "password-change-failed"  # noqa: S105  (a word, not a password)
    WEBHOOK_MADE = "webhook-made"
    WEBHOOK_RESENT = "webhook-resent"
    WEBHOOK_DELETED = "webhook-deleted"
