"""From a person at a provider to an account here: found, linked or made; role and department.

Decision: G823, G825.
"""

from dataclasses import dataclass
from datetime import datetime

from seqfacility_instance.access import audit, token_rows
from seqfacility_instance.access.sessions import Sessions
from seqfacility_instance.accounts import second_factor_store
from seqfacility_instance.accounts import store as accounts
from seqfacility_instance.accounts.rules import is_domain_allowed
from seqfacility_instance.core.vocabulary.people import AuditAction, Role
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.oidc import store
from seqfacility_instance.oidc.errors import Reason, SignInRefused
from seqfacility_instance.oidc.rules import Person
from seqfacility_instance.tables.people import OidcIdentity, User

NO_PASSWORD = ""
"""The hash of an account that has no password: nothing is right for it."""


class OvertakenByOther(Exception):
    """A simultaneous sign-in made the same account or link: give up what was done, and begin anew."""


@dataclass(frozen=True, slots=True)
class ProvidersPeople:
    """Accounts of people whom a provider knows; all of it stands in the transaction of the sign-in."""

    settings: FacilitySettings
    sessions: Sessions

    def identity(self, person: Person, address: str, now: datetime) -> OidcIdentity:
        """Return the identity whose account is signed in; raises `SignInRefused` or `OvertakenByOther`."""
        identity = store.find_identity(person.issuer, person.subject) or self._link(person, address, now)
        user = accounts.lock_signing_in(identity.user_id)
        if user is None:
            raise SignInRefused(Reason.DEACTIVATED)
        if store.find_identity(person.issuer, person.subject) != identity:  # unlinked meanwhile
            raise OvertakenByOther
        identity.user = user
        self._follow_role(identity, person, address, now)
        department = store.find_department(person.department) if person.department else None
        if department is not None and department.id != user.department_id:
            accounts.update_user(user.id, {"department": department.id}, now)
        return identity

    def _link(self, person: Person, address: str, now: datetime) -> OidcIdentity:
        if person.email is None:
            raise SignInRefused(Reason.NOT_VERIFIED)
        user = accounts.find_user_by_email(person.email)
        if user is None:
            user = self._make(person, address, now)
        else:
            self._take_over(user, person, address, now)
        identity = store.insert_identity(user, person.issuer, person.subject, now)
        if identity is None:
            raise OvertakenByOther
        detail: dict[str, object] = {"issuer": person.issuer, "subject": person.subject}
        audit.write(user.id, address, AuditAction.IDENTITY_LINKED, "user", user.id, now, detail)
        return identity

    def _make(self, person: Person, address: str, now: datetime) -> User:
        if not is_domain_allowed(person.email or "", self.settings.access().allowed_email_domains):
            raise SignInRefused(Reason.NOT_ALLOWED)
        columns = {
            "email": person.email,
            "password_hash": NO_PASSWORD,
            "first_name": person.first_name,
            "last_name": person.last_name,
            "role": Role.RESEARCHER,
        }
        user = accounts.insert_user(columns, now)
        if user is None:
            raise OvertakenByOther
        detail: dict[str, object] = {"role": user.role.value, "issuer": person.issuer}
        audit.write(user.id, address, AuditAction.REGISTERED, "user", user.id, now, detail)
        return user

    def _take_over(self, user: User, person: Person, address: str, now: datetime) -> None:
        """Give the account of an e-mail to the person who has proved to own it.

        HAZARD: anybody may have registered with that e-mail, and would keep the way in by the password.
        """
        if store.is_linked(user.id, person.issuer):
            raise SignInRefused(Reason.LINKED_ELSEWHERE)
        if user.is_demo:
            raise SignInRefused(Reason.NOT_ALLOWED)
        columns: dict[str, object] = {}
        if user.pending_since is not None:
            columns = {"is_active": True, "pending_since": None}
            action = AuditAction.REGISTRATION_APPROVED
            audit.write(None, address, action, "user", user.id, now, {"issuer": person.issuer})
        elif not user.is_active:
            raise SignInRefused(Reason.DEACTIVATED)
        if user.role is Role.FACILITY_ADMIN:
            accounts.update_user(user.id, columns, now)
            return
        columns |= {"password_hash": NO_PASSWORD, "must_change_password": False}
        accounts.update_user(user.id, columns, now)
        self._end_ways_in(user, address, now)

    def _end_ways_in(self, user: User, address: str, now: datetime) -> None:
        """End whatever else opens the account; its row has changed, so a sign-in under way fails."""
        accounts.end_reset_links(user.id, now)
        self.sessions.end_all(user.id)
        for token in token_rows.end_tokens(user.id):
            audit.write(None, address, AuditAction.TOKEN_REVOKED, "token", token.id, now, {"owner": user.id})
        if second_factor_store.claim_removed(user.id):
            audit.write(None, address, AuditAction.SECOND_FACTOR_RESET, "user", user.id, now, {})

    def _follow_role(self, identity: OidcIdentity, person: Person, address: str, now: datetime) -> None:
        """Give the role of an admin, and take back what was given here; an admin by other ways stays one."""
        user, before = identity.user, identity.user.role
        if person.is_admin and before is not Role.FACILITY_ADMIN:
            user.role = Role.FACILITY_ADMIN
        elif not person.is_admin and identity.gave_admin:
            user.role = Role.RESEARCHER
        gave_admin = person.is_admin and (identity.gave_admin or user.role is not before)
        if gave_admin != identity.gave_admin:
            store.note_gave_admin(identity.id, gave_admin=gave_admin)
        if user.role is before:
            return
        accounts.update_user(user.id, {"role": user.role}, now)
        words: dict[str, object] = {"before": before.value, "after": user.role.value, "issuer": person.issuer}
        audit.write(user.id, address, AuditAction.ROLE_CHANGED, "user", user.id, now, words)
