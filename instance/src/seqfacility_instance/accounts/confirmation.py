"""Proving again who one is, before a privileged act."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from seqfacility_wire.errors import ServiceError, TooManyRequests

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.sessions import Sessions
from seqfacility_instance.accounts import store, throttle
from seqfacility_instance.accounts.errors import (
    CodeWrong,
    ConfirmationNeedsCode,
    CurrentPasswordWrong,
    NoPasswordToConfirm,
)
from seqfacility_instance.accounts.passwords import Passwords
from seqfacility_instance.accounts.second_factors import Proof, SecondFactors
from seqfacility_instance.accounts.service import PASSWORD_LIMIT
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.tables.base import database

_REFUSED: Final[Mapping[Proof, type[ServiceError] | None]] = {
    Proof.ENOUGH: None,
    Proof.MISSING: ConfirmationNeedsCode,
    Proof.WRONG: CodeWrong,
}


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Confirms a session, so that a stolen cookie alone does no privileged act. Decision: G810, G811."""

    settings: FacilitySettings
    sessions: Sessions
    passwords: Passwords
    second_factors: SecondFactors
    clock: Clock

    def confirm(self, caller: SignedIn, password: str, code: str | None) -> None:
        """Confirm the caller's session for ten minutes.

        Raises `TooManyRequests` after as many wrong passwords as a change of password may have, else
        `NoPasswordToConfirm`, `CurrentPasswordWrong`, `ConfirmationNeedsCode` or `CodeWrong`.
        """
        user = store.find_user(caller.user_id)
        assert user is not None, "accounts with a session are never deleted"
        if not self.passwords.is_usable(user.password_hash):
            raise NoPasswordToConfirm
        self._check_wait(caller)
        is_right = self.passwords.is_right(password, user.password_hash)
        refusal: type[ServiceError] | None = CurrentPasswordWrong
        with database.atomic():
            # WHY: guesses made at the same time have all passed the first look.
            self._check_wait(caller)
            if is_right:
                refusal = _REFUSED[self.second_factors.proof(user.id, code, caller.address)]
            if refusal is None:
                throttle.forget_attempts(PASSWORD_LIMIT, user.id)
                self.sessions.confirm(caller.session_id)
            elif refusal is not ConfirmationNeedsCode:
                self._count_failure(caller)
        if refusal is not None:
            raise refusal

    def _check_wait(self, caller: SignedIn) -> None:
        limit = throttle.email_limit(self.settings.access())
        wait = throttle.wait_seconds(PASSWORD_LIMIT, caller.user_id, limit, self.clock.now())
        if wait:
            raise TooManyRequests(wait, PASSWORD_LIMIT)

    def _count_failure(self, caller: SignedIn) -> None:
        now = self.clock.now()
        throttle.count_attempt(PASSWORD_LIMIT, caller.user_id, now)
        audit.record(caller, AuditAction.CONFIRMATION_FAILED, "user", caller.user_id, now)
