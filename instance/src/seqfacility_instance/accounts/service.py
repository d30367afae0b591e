"""Use cases of accounts: sign in, sign out, change a password, make an account."""

from dataclasses import dataclass
from datetime import timedelta

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.sessions import Sessions
from seqfacility_instance.accounts import store, throttle
from seqfacility_instance.accounts.errors import (
    CredentialsWrong,
    CurrentPasswordWrong,
    EmailTaken,
    PasswordRefused,
    TooManySignIns,
)
from seqfacility_instance.accounts.passwords import Passwords
from seqfacility_instance.accounts.rules import normalized_email, password_problems
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary import AuditAction, Role
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.tables import User, database

EMAIL_LIMIT = "sign-in:email"
ADDRESS_LIMIT = "sign-in:address"


@dataclass(frozen=True, slots=True)
class NewAccount:
    """What an account needs to exist."""

    email: str
    first_name: str
    last_name: str
    role: Role
    password: str
    must_change_password: bool = False


@dataclass(frozen=True, slots=True)
class Accounts:
    """People and their way in."""

    settings: FacilitySettings
    sessions: Sessions
    passwords: Passwords
    clock: Clock

    def sign_in(self, email: str, password: str, address: str, old_token: str | None) -> tuple[User, str]:
        """Check credentials; gives the account and the token of a new session, ending the old one.

        Raises `TooManySignIns` while throttled, whatever the password, and `CredentialsWrong` alike for an
        unknown e-mail, a wrong password and a deactivated account.

        Gap: G24, G29.
        """
        email = normalized_email(email)
        self._check_throttle(email, address)
        user = store.find_user_by_email(email)
        is_right = self.passwords.is_right(password, None if user is None else user.password_hash)
        now = self.clock.now()
        if user is None or not is_right or not user.is_active:
            with database.atomic():
                throttle.count_attempt(EMAIL_LIMIT, email, now)
                throttle.count_attempt(ADDRESS_LIMIT, address, now)
                audit.write(
                    None, address, AuditAction.SIGN_IN_FAILED, "user", None, now, {"email": email[:255]}
                )
            raise CredentialsWrong
        renewed = self.passwords.hash(password) if self.passwords.is_outdated(user.password_hash) else None
        with database.atomic():
            throttle.forget_attempts(EMAIL_LIMIT, email)
            store.note_sign_in(user.id, now, renewed)
            if old_token is not None:
                self.sessions.end(old_token)
            token = self.sessions.start(user, address)
            audit.write(user.id, address, AuditAction.SIGN_IN, "user", user.id, now, {})
        return user, token

    def _check_throttle(self, email: str, address: str) -> None:
        access = self.settings.access()
        window = timedelta(minutes=access.sign_in_window_minutes)
        most = access.sign_in_max_failures
        now = self.clock.now()
        wait = max(
            throttle.wait_seconds(EMAIL_LIMIT, email, most, window, now),
            throttle.wait_seconds(ADDRESS_LIMIT, address, most * limits.ADDRESS_FAILURES_FACTOR, window, now),
        )
        if wait:
            raise TooManySignIns(wait)

    def sign_out(self, token: str | None, address: str) -> None:
        """End the session of a cookie, if there is one. Gap: G27."""
        if token is None:
            return
        with database.atomic():
            user_id = self.sessions.end(token)
            if user_id is not None:
                now = self.clock.now()
                audit.write(user_id, address, AuditAction.SIGN_OUT, "user", user_id, now, {})

    def change_password(self, caller: SignedIn, current: str, new: str) -> None:
        """Change the caller's own password and end all other sessions of that account.

        Raises `CurrentPasswordWrong` or `PasswordRefused`.

        Gap: G28.
        """
        user = store.find_user(caller.user_id)
        if user is None or not self.passwords.is_right(current, user.password_hash):
            raise CurrentPasswordWrong
        self._check_new_password(new, user.email)
        new_hash = self.passwords.hash(new)
        now = self.clock.now()
        with database.atomic():
            if not store.claim_password(user.id, user.password_hash, new_hash, now):
                raise CurrentPasswordWrong
            self.sessions.end_all(user.id, except_session_id=caller.session_id)
            audit.record(caller, AuditAction.PASSWORD_CHANGED, "user", user.id, now)

    def create(self, account: NewAccount) -> User:
        """Make an account; raises `PasswordRefused` or `EmailTaken`. Gap: G30, G261."""
        email = normalized_email(account.email)
        self._check_new_password(account.password, email)
        password_hash = self.passwords.hash(account.password)
        now = self.clock.now()
        with database.atomic():
            user = store.insert_user(
                email=email,
                password_hash=password_hash,
                first_name=account.first_name,
                last_name=account.last_name,
                role=account.role,
                now=now,
                must_change_password=account.must_change_password,
            )
            if user is None:
                raise EmailTaken
            audit.write(None, None, AuditAction.REGISTERED, "user", user.id, now, {"role": user.role.value})
        return user

    def _check_new_password(self, password: str, email: str) -> None:
        problems = password_problems(password, email)
        if problems:
            raise PasswordRefused(details=problems)
