"""Making one's own account, as a researcher or, with an invite, as a facility admin."""

from dataclasses import dataclass

from seqfacility_wire.client_address import network_of
from seqfacility_wire.errors import ValidationFailed
from seqfacility_wire.throttle import Limit

from seqfacility_instance.access import audit
from seqfacility_instance.accounts import department_store, invite_store, store, throttle
from seqfacility_instance.accounts.errors import (
    EmailDomainRefused,
    EmailTaken,
    InviteNotValid,
    InviteRequired,
    RegistrationClosed,
)
from seqfacility_instance.accounts.invites import code_hash
from seqfacility_instance.accounts.passwords import Passwords
from seqfacility_instance.accounts.rules import Applicant, is_domain_allowed
from seqfacility_instance.accounts.service import check_new_password
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.core.vocabulary.messages import NotificationType
from seqfacility_instance.core.vocabulary.people import AuditAction, Role
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.mail import outbox
from seqfacility_instance.notifications.store import notify
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import AdminInvite, User

REGISTER_LIMIT = "register:address"
_NAME_IN_TITLE = 200
"""A title has one line of 255 characters."""


@dataclass(frozen=True, slots=True)
class Registration:
    """Makes accounts for strangers. Decision: G30."""

    settings: FacilitySettings
    passwords: Passwords
    clock: Clock

    def admit(self, address: str) -> None:
        """Count a request of `address`; raises `TooManyRequests`. Decision: G30, G255."""
        limit = Limit(self.settings.access().registrations_per_hour, limits.REGISTRATION_WINDOW)
        throttle.admit(REGISTER_LIMIT, network_of(address), limit, self.clock.now())

    def register(self, applicant: Applicant, address: str) -> User:
        """Make an account; the refusals come in the order of G30's table.

        While registration needs approval, the account of a researcher waits for it, and for an e-mail that is
        taken an account that is nowhere stored is returned: who asks learns nothing.

        Raises `ValidationFailed`, `PasswordRefused`, `RegistrationClosed`, `InviteRequired`,
        `InviteNotValid`, `EmailDomainRefused` or `EmailTaken`.

        Decision: G30, G410.
        """
        self._check_department(applicant.department_id)
        check_new_password(applicant.password, applicant.email, self.settings.access().site_name)
        invite = self._check_way_in(applicant)
        self._check_domain(applicant.email)
        if invite is None and self.settings.access().registration_needs_approval:
            return self._ask_for_approval(applicant, address)
        if store.find_user_by_email(applicant.email) is not None:
            raise EmailTaken
        columns = _columns(applicant, self.passwords.hash(applicant.password))
        now = self.clock.now()
        with database.atomic():
            user = store.insert_user(columns, now)
            if user is None:
                raise EmailTaken
            detail: dict[str, object] = {"role": user.role.value}
            audit.write(user.id, address, AuditAction.REGISTERED, "user", user.id, now, detail)
            if invite is not None:
                if not invite_store.claim_invite(invite.id, user.email, user.id, now):
                    raise InviteNotValid
                audit.write(user.id, address, AuditAction.INVITE_USED, "invite", invite.id, now, {})
        return user

    def _ask_for_approval(self, applicant: Applicant, address: str) -> User:
        """Make an account that waits, or note that somebody asked for one that is there.

        Both hash a password and commit one transaction, so they take the same time. Nobody has proved who
        asks, so the audit row has no actor.
        """
        columns = _columns(applicant, self.passwords.hash(applicant.password))
        now = self.clock.now()
        waiting = {"is_active": False, "pending_since": now}
        with database.atomic() as transaction:
            known = store.find_user_by_email(applicant.email)
            if known is not None:
                audit.write(None, address, AuditAction.REGISTERED_AGAIN, "user", known.id, now, {})
                return User(**columns, **waiting)
            user = store.insert_user({**columns, **waiting}, now)
            if user is None:  # somebody asked for the same e-mail at the same time, and was first
                transaction.rollback()
                return User(**columns, **waiting)
            detail: dict[str, object] = {"role": user.role.value, "pending": True}
            audit.write(None, address, AuditAction.REGISTERED, "user", user.id, now, detail)
            name = f"{user.first_name} {user.last_name}"[:_NAME_IN_TITLE]
            title = f"Account waits for approval: {name}"
            notify(NotificationType.ACCOUNT_PENDING, title, owner_id=user.id, actor_id=user.id, now=now)
            facts = {"name": f"{user.first_name} {user.last_name}", "email": user.email}
            outbox.tell_admins(MailKind.REGISTRATION_WAITING, now, facts, f"waiting:{user.id}")
        return user

    def _check_department(self, department_id: str | None) -> None:
        if department_id is None:
            return
        department = department_store.find_department(department_id)
        if department is None or not department.is_active:
            raise ValidationFailed(["departmentId: is not an active department"])

    def _check_way_in(self, applicant: Applicant) -> AdminInvite | None:
        if applicant.role is Role.RESEARCHER:
            if not self.settings.access().allow_registration:
                raise RegistrationClosed
            return None
        if applicant.invite_code is None:
            raise InviteRequired
        hashed = code_hash(applicant.invite_code)
        invite = invite_store.find_open_invite(hashed, applicant.email, self.clock.now())
        if invite is None:
            raise InviteNotValid
        return invite

    def _check_domain(self, email: str) -> None:
        is_checked = self.settings.modules().is_on(ModuleId.ACCOUNT_VALIDATION)
        if is_checked and not is_domain_allowed(email, self.settings.access().allowed_email_domains):
            raise EmailDomainRefused


def _columns(applicant: Applicant, password_hash: str) -> dict[str, object]:
    return {
        "email": applicant.email,
        "password_hash": password_hash,
        "first_name": applicant.first_name,
        "last_name": applicant.last_name,
        "role": applicant.role,
        "researcher_role": applicant.researcher_role,
        "institution": applicant.institution,
        "department": applicant.department_id,
    }
