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
from seqfacility_instance.accounts.rules import is_email, normalized_email, password_problems
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
        user = store.find_user_by_email(email) if is_email(email) else None
        is_right = self.passwords.is_right(password, None if user is None else user.password_hash)
        renewed = None
        if user is not None and is_right and self.passwords.is_outdated(user.password_hash):
            renewed = self.passwords.hash(password)
        token = None
        with database.atomic():
            # WHY: guesses made at the same time have all passed the first look.
            self._check_throttle(email, address)
            if user is None or not is_right or not user.is_active:
                self._count_failure(email, address)
            else:
                token = self._begin_session(user, address, old_token, renewed)
        if user is None or token is None:
            raise CredentialsWrong
        return user, token

    def _count_failure(self, email: str, address: str) -> None:
        now = self.clock.now()
        throttle.count_attempt(EMAIL_LIMIT, email, now)
        throttle.count_attempt(ADDRESS_LIMIT, address, now)
        detail: dict[str, object] = {"email": email[: limits.SINGLE_LINE_MAX_CHARACTERS]}
        audit.write(None, address, AuditAction.SIGN_IN_FAILED, "user", None, now, detail)

    def _begin_session(self, user: User, address: str, old_token: str | None, renewed: str | None) -> str:
        now = self.clock.now()
        throttle.forget_attempts(EMAIL_LIMIT, user.email)
        store.note_sign_in(user.id, now, renewed)
        if old_token is not None:
            self.sessions.end(old_token)
        audit.write(user.id, address, AuditAction.SIGN_IN, "user", user.id, now, {})
        return self.sessions.start(user, address)

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
            ended = self.sessions.end(token)
            if ended is not None and ended.demo_workspace_id is None:
                now = self.clock.now()
                audit.write(ended.user_id, address, AuditAction.SIGN_OUT, "user", ended.user_id, now, {})

    def change_password(self, caller: SignedIn, current: str, new: str) -> None:
        """Change the caller's own password and end all other sessions of that account.

        Raises `CurrentPasswordWrong` or `PasswordRefused`.

        Gap: G28.
        """
        user = store.find_user(caller.user_id)
        if user is None or not self.passwords.is_right(current, user.password_hash):
            raise CurrentPasswordWrong
        check_new_password(new, user.email, "newPassword")
        new_hash = self.passwords.hash(new)
        now = self.clock.now()
        with database.atomic():
            if not store.claim_password(user.id, user.password_hash, new_hash, now):
                raise CurrentPasswordWrong
            store.end_reset_links(user.id, now)
            self.sessions.end_all(user.id, except_session_id=caller.session_id)
            audit.record(caller, AuditAction.PASSWORD_CHANGED, "user", user.id, now)

    def create(self, account: NewAccount) -> User:
        """Make an account; raises `PasswordRefused` or `EmailTaken`. Gap: G260, G261."""
        email = normalized_email(account.email)
        check_new_password(account.password, email)
        columns = {
            "email": email,
            "password_hash": self.passwords.hash(account.password),
            "first_name": account.first_name,
            "last_name": account.last_name,
            "role": account.role,
            "must_change_password": account.must_change_password,
        }
        now = self.clock.now()
        with database.atomic():
            user = store.insert_user(columns, now)
            if user is None:
                raise EmailTaken
            audit.write(None, None, AuditAction.REGISTERED, "user", user.id, now, {"role": user.role.value})
        return user


def check_new_password(password: str, email: str, key: str = "password") -> None:
    """Raise `PasswordRefused` with the reasons when a password, sent as `key`, breaks the rules. Gap: G28."""
    problems = password_problems(password, email, key)
    if problems:
        raise PasswordRefused(details=problems)
