"""Making one's own account, as a researcher or, with an invite, as a facility admin."""

from dataclasses import dataclass

from seqfacility_wire.client_address import network_of
from seqfacility_wire.errors import ValidationFailed

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
from seqfacility_instance.core.vocabulary import AuditAction, ModuleId, Role
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.tables import AdminInvite, User, database

REGISTER_LIMIT = "register:address"


@dataclass(frozen=True, slots=True)
class Registration:
    """Makes accounts for strangers. Gap: G30."""

    settings: FacilitySettings
    passwords: Passwords
    clock: Clock

    def admit(self, address: str) -> None:
        """Count a request of `address`; raises `TooManyRequests`. Gap: G30, G255."""
        most = self.settings.access().registrations_per_hour
        throttle.admit(
            REGISTER_LIMIT, network_of(address), most, limits.REGISTRATION_WINDOW, self.clock.now()
        )

    def register(self, applicant: Applicant, address: str) -> User:
        """Make an account; the refusals come in the order of G30's table.

        Raises `ValidationFailed`, `PasswordRefused`, `RegistrationClosed`, `InviteRequired`,
        `InviteNotValid`, `EmailDomainRefused` or `EmailTaken`.

        Gap: G30.
        """
        self._check_department(applicant.department_id)
        check_new_password(applicant.password, applicant.email, self.settings.access().site_name)
        invite = self._check_way_in(applicant)
        self._check_domain(applicant.email)
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
