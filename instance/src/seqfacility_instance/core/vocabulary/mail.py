"""Closed sets of mail."""

from enum import StrEnum


class MailSecurity(StrEnum):
    """How the connection to the mail server is protected."""

    NONE = "none"
    STARTTLS = "starttls"
    TLS = "tls"


class MailKind(StrEnum):
    """What a mail is about. The first few always come; of the others people choose. Decision: G837, G840."""

    TEST = "test"
    INVITATION = "invitation"
    PASSWORD_RESET = "password-reset"  # noqa: S105  # a word, not a password
    REGISTRATION_APPROVED = "registration.approved"
    REGISTRATION_DECLINED = "registration.declined"
    DIGEST = "digest"
    PIPELINE_NOTICE = "pipeline.notice"
    REGISTRATION_WAITING = "registration.waiting"
    ORDER_SUBMITTED = "order.submitted"
    ORDER_ACCEPTED = "order.accepted"
    ORDER_STATUS = "order.status"
    READS_COMPLETE = "reads.complete"
    RUN_COMPLETED = "run.completed"
    RUN_FAILED = "run.failed"
    DELIVERY_RELEASED = "delivery.released"
    DELIVERY_LINK_ENDING = "delivery.link-ending"
    MESSAGE_CREATED = "message.created"


class MailTiming(StrEnum):
    """When somebody wants to be told of something."""

    AT_ONCE = "at-once"
    DAILY = "daily"
    NEVER = "never"
