"""Use cases of accounts: sign in, sign out, confirm, change a password, make an account."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.errors import Unauthorized
from seqfacility_instance.access.sessions import Sessions
from seqfacility_instance.accounts import store, throttle
from seqfacility_instance.accounts.errors import (
    CodeWrong,
    ConfirmationNeedsCode,
    CredentialsWrong,
    CurrentPasswordWrong,
    EmailTaken,
    NoPasswordToConfirm,
    PasswordRefused,
    SecondFactorRequired,
    SignInCodeWrong,
)
from seqfacility_instance.accounts.passwords import Passwords
from seqfacility_instance.accounts.rules import is_email, normalized_email, password_problems
from seqfacility_instance.accounts.second_factors import Proof, SecondFactors
from seqfacility_instance.accounts.sign_in_throttle import SignInThrottle
from seqfacility_instance.core import limits
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction, Role
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import User

_REFUSED: Final[Mapping[Proof, type[ServiceError] | None]] = {
    Proof.ENOUGH: None,
    Proof.MISSING: SecondFactorRequired,
    Proof.WRONG: SignInCodeWrong,
}
_NOT_CONFIRMED: Final[Mapping[Proof, type[ServiceError] | None]] = {
    Proof.ENOUGH: None,
    Proof.MISSING: ConfirmationNeedsCode,
    Proof.WRONG: CodeWrong,
}
PASSWORD_LIMIT: Final = "password:user"  # noqa: S105  # the name of a limit


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
class Browser:
    """What a request to sign in says of where it comes from."""

    address: str
    session_token: str | None = None
    device_token: str | None = None
    user_agent: str = ""


@dataclass(frozen=True, slots=True)
class SignedInNow:
    """A new session: the account, the token of its cookie, and the one that tells the browser later."""

    user: User
    session_token: str
    device_token: str


@dataclass(frozen=True, slots=True)
class Accounts:
    """People and their way in."""

    settings: FacilitySettings
    sessions: Sessions
    passwords: Passwords
    throttle: SignInThrottle
    second_factors: SecondFactors
    clock: Clock

    def sign_in(self, email: str, password: str, browser: Browser, code: str | None = None) -> SignedInNow:
        """Check credentials and begin a session, ending the one that the browser had.

        Raises `TooManySignIns` while throttled, whatever the password, and `CredentialsWrong` alike for an
        unknown e-mail, a wrong password and a deactivated account. Only then an account with a second factor
        is asked for its code: `SecondFactorRequired`, `SignInCodeWrong`, or `TooManyRequests`.

        Decision: G24, G29, G814.
        """
        email = normalized_email(email)
        user = store.find_user_by_email(email) if is_email(email) else None
        is_known = self.throttle.is_known_device(user, browser.device_token)
        self.throttle.check(email, browser.address, is_known_device=is_known)
        is_right = self.passwords.is_right(password, None if user is None else user.password_hash)
        renewed = None
        if user is not None and is_right and self.passwords.is_outdated(user.password_hash):
            renewed = self.passwords.hash(password)
        refusal: type[ServiceError] | None = CredentialsWrong
        token = None
        with database.atomic():
            # WHY: guesses made at the same time have all passed the first look.
            self.throttle.check(email, browser.address, is_known_device=is_known)
            if user is not None and is_right:
                # WHY again: password and account may have changed while the password was checked.
                user = store.lock_signing_in(user.id, user.password_hash)
            if user is not None and is_right:
                refusal = _REFUSED[self.second_factors.proof(user.id, code, browser.address)]
                if refusal is None:
                    token = self._begin_session(user, browser, renewed)
            if refusal is CredentialsWrong:
                self._count_failure(email, browser.address, None, {})
            elif refusal is SignInCodeWrong and user is not None:
                self._count_failure(email, browser.address, user.id, {"reason": "code"})
        if user is not None and refusal is SecondFactorRequired:
            raise SecondFactorRequired(user.id)
        if user is None or token is None:
            raise refusal or CredentialsWrong
        return SignedInNow(user, token, self.throttle.device_token(user.id, renewed or user.password_hash))

    def _count_failure(
        self, email: str, address: str, user_id: str | None, reason: Mapping[str, str]
    ) -> None:
        now = self.clock.now()
        self.throttle.count_failure(email, address)
        detail: dict[str, object] = {"email": email[: limits.SINGLE_LINE_MAX_CHARACTERS], **reason}
        audit.write(None, address, AuditAction.SIGN_IN_FAILED, "user", user_id, now, detail)

    def _begin_session(self, user: User, browser: Browser, renewed: str | None) -> str:
        now = self.clock.now()
        self.throttle.forget_failures(user.email, browser.address)
        store.note_sign_in(user.id, now, renewed)
        if browser.session_token is not None:
            self.sessions.end(browser.session_token)
        audit.write(user.id, browser.address, AuditAction.SIGN_IN, "user", user.id, now, {})
        return self.sessions.start(user, browser.address, browser.user_agent)

    def sign_out(self, token: str | None, address: str) -> None:
        """End the session of a cookie, if there is one. Decision: G27."""
        if token is None:
            return
        with database.atomic():
            ended = self.sessions.end(token)
            if ended is not None and ended.demo_workspace_id is None:
                now = self.clock.now()
                audit.write(ended.user_id, address, AuditAction.SIGN_OUT, "user", ended.user_id, now, {})

    def confirm(self, caller: SignedIn, password: str, code: str | None) -> None:
        """Confirm the caller's session for ten minutes, so that a stolen cookie alone does no privileged act.

        Raises `TooManyRequests` after as many wrong passwords as a change of password may have, else
        `NoPasswordToConfirm`, `CurrentPasswordWrong`, `ConfirmationNeedsCode` or `CodeWrong`.

        Decision: G810, G811.
        """
        user, access = store.find_user(caller.user_id), self.settings.access()
        assert user is not None, "accounts with a session are never deleted"
        if not self.passwords.is_usable(user.password_hash):
            raise NoPasswordToConfirm
        throttle.check(PASSWORD_LIMIT, user.id, access, self.clock.now())
        is_right = self.passwords.is_right(password, user.password_hash)
        refusal: type[ServiceError] | None = CurrentPasswordWrong
        now = self.clock.now()
        with database.atomic():
            # WHY: guesses made at the same time have all passed the first look.
            throttle.check(PASSWORD_LIMIT, user.id, access, now)
            if is_right:
                refusal = _NOT_CONFIRMED[self.second_factors.proof(user.id, code, caller.address)]
            if refusal is None:
                throttle.forget_attempts(PASSWORD_LIMIT, user.id)
                self.sessions.confirm(caller.session_id)
            elif refusal is not ConfirmationNeedsCode:
                throttle.count_attempt(PASSWORD_LIMIT, user.id, now)
                audit.record(caller, AuditAction.CONFIRMATION_FAILED, "user", user.id, now)
        if refusal is not None:
            raise refusal

    def change_password(self, caller: SignedIn, current: str, new: str) -> str:
        """Change the caller's own password and end all other sessions of that account.

        Returns the new token of the caller's session: whoever has the old one is out.

        Raises `TooManyRequests` after as many wrong passwords as a sign-in may have, else
        `CurrentPasswordWrong` or `PasswordRefused`.

        Decision: G28, G29, G813.
        """
        user = store.find_user(caller.user_id)
        access, now = self.settings.access(), self.clock.now()
        throttle.check(PASSWORD_LIMIT, caller.user_id, access, now)
        if user is None or not self.passwords.is_right(current, user.password_hash):
            throttle.count_attempt(PASSWORD_LIMIT, caller.user_id, now)
            raise CurrentPasswordWrong
        check_new_password(new, user.email, access.site_name, "newPassword", current)
        new_hash = self.passwords.hash(new)
        now = self.clock.now()
        with database.atomic():
            if not store.claim_password(user.id, user.password_hash, new_hash, now):
                raise CurrentPasswordWrong
            throttle.forget_attempts(PASSWORD_LIMIT, user.id)
            store.end_reset_links(user.id, now)
            token = self.sessions.renew(caller.session_id)
            if token is None:
                raise Unauthorized
            audit.record(caller, AuditAction.PASSWORD_CHANGED, "user", user.id, now)
        return token

    def create(self, account: NewAccount) -> User:
        """Make an account; raises `PasswordRefused` or `EmailTaken`. Decision: G260, G261."""
        email = normalized_email(account.email)
        check_new_password(account.password, email, self.settings.access().site_name)
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


def check_new_password(
    password: str, email: str, site_name: str, key: str = "password", current: str | None = None
) -> None:
    """Raise `PasswordRefused` with the reasons when a password, sent as `key`, breaks the rules.

    Decision: G28.
    """
    problems = password_problems(password, email, site_name, key)
    if password == current:
        problems.append(f"{key}: must not be the current password")
    if problems:
        raise PasswordRefused(details=problems)
