"""Looking after accounts: one's own profile, the admin's list, roles, deactivation, reset links."""

import logging
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from seqfacility_wire.client_address import network_of
from seqfacility_wire.errors import TooManyRequests, ValidationFailed
from seqfacility_wire.paging import Page
from seqfacility_wire.throttle import Limit

from seqfacility_instance.access import audit, token_rows
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin, SignedIn
from seqfacility_instance.access.errors import TokenNotAllowed
from seqfacility_instance.access.sessions import Sessions, token_hash
from seqfacility_instance.accounts import department_store, store, throttle
from seqfacility_instance.accounts.errors import (
    AccountErased,
    LastAdmin,
    NotPending,
    ResetLinkNotValid,
    UserNotFound,
)
from seqfacility_instance.accounts.passwords import Passwords
from seqfacility_instance.accounts.rules import is_email, is_erased
from seqfacility_instance.accounts.service import check_new_password
from seqfacility_instance.accounts.sign_in_throttle import SIGN_IN
from seqfacility_instance.accounts.throttle import Guesses
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.mail import MailKind
from seqfacility_instance.core.vocabulary.people import AuditAction, Role
from seqfacility_instance.facility_settings.secret_box import KeyUnusable
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.mail import outbox
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import User

_log = logging.getLogger("seqfacility.worker")


@dataclass(frozen=True, slots=True)
class People:
    """Profiles, and what an admin does with the accounts of others. Decision: G33, G34."""

    sessions: Sessions
    passwords: Passwords
    guesses: Guesses
    settings: FacilitySettings
    clock: Clock

    def profile(self, caller: SignedIn) -> User:
        """Return the caller's own account. Decision: G34."""
        user = store.find_user(caller.user_id)
        assert user is not None, "accounts with a session are never deleted"
        return user

    def save_profile(self, caller: SignedIn, columns: Mapping[str, object]) -> User:
        """Change what is sent of one's own account.

        Raises `ValidationFailed`, or `TokenNotAllowed` for a machine, whose name is what an admin gave it.

        Decision: G34, G899.
        """
        if caller.token_id is not None and token_rows.is_machine(caller.user_id):
            raise TokenNotAllowed
        user = self.profile(caller)
        _check_department(user, columns)
        now = self.clock.now()
        with database.atomic():
            store.update_user(user.id, columns, now)
            audit.record(caller, AuditAction.USER_CHANGED, "user", user.id, now, keys=sorted(columns))
        return self.profile(caller)

    def list_page(
        self, caller: FacilityAdmin, wanted: store.AccountFilter, page: Page
    ) -> tuple[list[User], int]:
        """List the accounts that exist for the caller. Decision: G33, G246, G1085."""
        return store.list_users(caller, wanted, page)

    def get(self, caller: FacilityAdmin, user_id: str) -> User:
        """Return an account; raises `UserNotFound`. Decision: G14, G283."""
        user = store.find_user_in_reach(caller, user_id)
        if user is None:
            raise UserNotFound
        return user

    def change(self, caller: LiveFacilityAdmin, user_id: str, columns: Mapping[str, object]) -> User:
        """Change what is sent of an account; deactivation ends sessions and tokens, activation approves it.

        Raises `UserNotFound`, `AccountErased`, `ValidationFailed`, or `LastAdmin` when nobody could
        administer any more.

        Decision: G33, G269, G410.
        """
        self.save(caller, self.get(caller, user_id), columns)
        return self.get(caller, user_id)

    def save(self, caller: LiveFacilityAdmin | None, user: User, columns: Mapping[str, object]) -> None:
        """Change columns of an account as `change` does; `caller` is None for a command.

        Decision: G269, G472.
        """
        _check_department(user, columns)
        now = self.clock.now()
        if user.pending_since is not None and columns.get("is_active") is True:
            columns = {**columns, "pending_since": None}
        is_no_admin = columns.get("role", user.role) is not Role.FACILITY_ADMIN
        is_inactive = columns.get("is_active", user.is_active) is False
        if is_erased(user.email) and not is_inactive:
            raise AccountErased
        with database.atomic():
            if (is_no_admin or is_inactive) and store.lock_active_admins() == {user.id}:
                raise LastAdmin
            store.update_user(user.id, columns, now)
            if is_inactive:
                self.sessions.end_all(user.id)
                for token in token_rows.end_tokens(user.id):
                    audit.record(caller, AuditAction.TOKEN_REVOKED, "token", token.id, now, owner=user.id)
            self._note_change(caller, user, columns, now)

    def decline(self, caller: LiveFacilityAdmin, user_id: str) -> None:
        """Delete an account that waits for approval, so that its e-mail is free again.

        Raises `UserNotFound` or `NotPending`.

        Decision: G410.
        """
        user = self.get(caller, user_id)
        with database.atomic():
            if not store.claim_declined(user.id):
                raise NotPending
            now = self.clock.now()
            audit.record(caller, AuditAction.REGISTRATION_DECLINED, "user", user.id, now, email=user.email)
            outbox.send_always(MailKind.REGISTRATION_DECLINED, now, user.email)

    def _note_change(
        self, caller: LiveFacilityAdmin | None, user: User, columns: Mapping[str, object], now: datetime
    ) -> None:
        role = columns.get("role", user.role)
        if isinstance(role, Role) and role is not user.role:
            words = {"before": user.role.value, "after": role.value}
            audit.record(caller, AuditAction.ROLE_CHANGED, "user", user.id, now, **words)
        if "pending_since" in columns:
            audit.record(caller, AuditAction.REGISTRATION_APPROVED, "user", user.id, now)
            outbox.send_always(MailKind.REGISTRATION_APPROVED, now, user)
        others = sorted(set(columns) - {"role", "pending_since"})
        if others:
            audit.record(caller, AuditAction.USER_CHANGED, "user", user.id, now, keys=others)

    def make_reset_link(
        self, caller: LiveFacilityAdmin, user_id: str, *, is_mailed: bool = False
    ) -> tuple[str, datetime, bool]:
        """Make a link that sets a new password once; return its token, its end, and whether it is mailed.

        Raises `UserNotFound`.

        Decision: G33, G842.
        """
        user = self.get(caller, user_id)
        with database.atomic():
            token, expires_at = self._reset_link(caller, user, is_mailed=is_mailed)
            return token, expires_at, is_mailed and outbox.is_on()

    def _reset_link(
        self, caller: LiveFacilityAdmin | None, user: User, *, is_mailed: bool
    ) -> tuple[str, datetime]:
        token = secrets.token_urlsafe(limits.SESSION_TOKEN_BYTES)
        now = self.clock.now()
        expires_at = now + limits.RESET_LINK_LIFE
        store.insert_reset_link(
            token_hash(token), user.id, None if caller is None else caller.user_id, now, expires_at
        )
        audit.record(caller, AuditAction.RESET_LINK_MADE, "user", user.id, now)
        if is_mailed and outbox.is_on():
            sealed = self.settings.secrets.seal(token)
            outbox.send_secret(MailKind.PASSWORD_RESET, now, user, sealed, expires_at)
        return token, expires_at

    def request_reset(self, email: str, address: str) -> None:
        """Note that somebody wants a reset link for an e-mail.

        Whether there is such an account is looked up by the worker: here all e-mails are alike, in the answer
        and in the time that it takes. Too many requests of a network or for an e-mail are not heard.

        Decision: G842.
        """
        if not outbox.is_on() or not is_email(email):
            return
        now, hour = self.clock.now(), limits.REGISTRATION_WINDOW
        with suppress(TooManyRequests):
            of_network = Limit(limits.RESET_REQUESTS_PER_NETWORK, hour)
            throttle.admit("reset-request:address", network_of(address), of_network, now)
            throttle.admit("reset-request:email", email, Limit(limits.RESET_REQUESTS_PER_HOUR, hour), now)
            with database.atomic():
                outbox.request_reset(email, now)
                audit.write(None, address, AuditAction.RESET_REQUESTED, "user", None, now, {"email": email})

    def answer_reset_requests(self, _now: datetime) -> bool:
        """Mail a link to each account that one was asked for; a sweep of the worker.

        An account without a password gets none: its owner's institute decides who signs in.

        Decision: G823, G842.
        """
        requests = outbox.reset_requests()
        for mail_id, email in requests:
            try:
                with database.atomic():
                    self._answer_request(mail_id, email)
            except KeyUnusable as unusable:
                outbox.claim_reset_request(mail_id)
                _log.error("a reset link that was asked for is not mailed: %s", unusable)
        return bool(requests)

    def _answer_request(self, mail_id: str, email: str) -> None:
        """Make a link; it ends those that were asked for before, and none that an admin has made.

        Decision: G834.
        """
        user = store.find_user_by_email(email)
        has_password = user is not None and self.passwords.is_usable(user.password_hash)
        is_claimed = outbox.claim_reset_request(mail_id)
        if is_claimed and user is not None and has_password and outbox.may_get_mail(user.id):
            store.end_requested_links(user.id, self.clock.now())
            self._reset_link(None, user, is_mailed=True)

    def reset_password(self, token: str, new: str, address: str) -> None:
        """Set a password by a reset link and end all sessions of its account, and all waiting for a sign-in.

        Raises `TooManyRequests`, `ResetLinkNotValid` or `PasswordRefused`; a refused password leaves the
        link as it is.

        Decision: G33, G255.
        """
        self.guesses.check(address)
        hashed = token_hash(token)
        user = store.find_user_of_link(hashed, self.clock.now())
        if user is None:
            self.guesses.count_wrong(address)
            raise ResetLinkNotValid
        check_new_password(new, user.email, self.settings.access().site_name, "newPassword")
        columns = {"password_hash": self.passwords.hash(new), "must_change_password": False}
        now = self.clock.now()
        with database.atomic():
            if not store.claim_reset_link(hashed, now):
                raise ResetLinkNotValid
            store.end_reset_links(user.id, now)
            store.update_user(user.id, columns, now)
            self.sessions.end_all(user.id)
            throttle.forget_kind(SIGN_IN, user.email)
            audit.write(user.id, address, AuditAction.PASSWORD_RESET, "user", user.id, now, {})


def _check_department(user: User, columns: Mapping[str, object]) -> None:
    """A new department must be one that may be chosen; the one that somebody has may stay. Decision: G276."""
    department_id = columns.get("department")
    if not isinstance(department_id, str) or department_id == user.department_id:
        return
    department = department_store.find_department(department_id)
    if department is None or not department.is_active:
        raise ValidationFailed(["departmentId: is not an active department"])
