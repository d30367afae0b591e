"""The second factor of local accounts: set up, asked for, removed."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.sessions import Sessions, asks_second_factor, token_hash
from seqfacility_instance.accounts import second_factor_store as store
from seqfacility_instance.accounts import throttle, totp
from seqfacility_instance.accounts.errors import (
    CodeWrong,
    SecondFactorInUse,
    SecondFactorNotBegun,
    SecondFactorNotSetUp,
)
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.second_factors import SecondFactor

CODE_LIMIT: Final = "second-factor:user"


class Proof(StrEnum):
    """What somebody who gave the right password has shown besides."""

    ENOUGH = "enough"
    MISSING = "missing"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class SecondFactors:
    """Codes of an authenticator app, and recovery codes in their place. Decision: G814, G815, G816."""

    settings: FacilitySettings
    sessions: Sessions
    clock: Clock

    def find_own(self, caller: SignedIn) -> tuple[SecondFactor | None, bool]:
        """Return the caller's own, and whether the facility wants one of them."""
        return store.find(caller.user_id), asks_second_factor(self.settings.access(), caller)

    def begin(self, caller: SignedIn) -> tuple[str, str]:
        """Make a secret for an app, in place of one that no code has shown, and what a QR code says of it.

        Raises `SecondFactorInUse`.
        """
        secret = totp.new_secret()
        sealed = self.settings.secrets.seal(secret)
        with database.atomic():
            if not store.replace_begun(caller.user_id, sealed, self.clock.now()):
                raise SecondFactorInUse
        return secret, totp.app_uri(secret, caller.email, self.settings.access().site_name)

    def enable(self, caller: SignedIn, code: str) -> list[str]:
        """Put the app to use by its first code; return the recovery codes, which are shown here alone.

        Raises `TooManyRequests`, `SecondFactorInUse`, `SecondFactorNotBegun` or `CodeWrong`.
        """
        now, codes = self.clock.now(), totp.new_recovery_codes()
        with database.atomic():
            throttle.check(CODE_LIMIT, caller.user_id, self.settings.access(), now)
            factor = store.find(caller.user_id)
            if factor is None:
                raise SecondFactorNotBegun
            if factor.enabled_at is not None:
                raise SecondFactorInUse
            counter = self._counter(factor, code)
            if counter is None:
                throttle.count_attempt(CODE_LIMIT, caller.user_id, now)
            elif not store.claim_enabled(factor.id, counter, [_hash(made) for made in codes], now):
                raise SecondFactorNotBegun
            else:
                throttle.forget_attempts(CODE_LIMIT, caller.user_id)
                audit.record(caller, AuditAction.SECOND_FACTOR_SET_UP, "user", caller.user_id, now)
        if counter is None:
            raise CodeWrong
        return codes

    def remove(self, caller: SignedIn | None, user_id: str) -> None:
        """Remove the caller's own, or that of somebody who lost it; `caller` is None for a command.

        Raises `SecondFactorNotSetUp`.
        """
        is_own = caller is not None and caller.user_id == user_id
        action = AuditAction.SECOND_FACTOR_REMOVED if is_own else AuditAction.SECOND_FACTOR_RESET
        with database.atomic():
            if not store.claim_removed(user_id):
                raise SecondFactorNotSetUp
            throttle.forget_attempts(CODE_LIMIT, user_id)
            audit.record(caller, action, "user", user_id, self.clock.now())

    def proof(self, user_id: str, code: str | None, address: str) -> Proof:
        """Take a code from somebody who gave the right password; stands in the transaction of what follows.

        A wrong one is counted. Raises `TooManyRequests` while too many were wrong.

        Decision: G814, G815, G816.
        """
        factor = store.lock(user_id)
        if factor is None or factor.enabled_at is None:
            return Proof.ENOUGH
        given = totp.normalized(code or "")
        if not given:
            return Proof.MISSING
        throttle.check(CODE_LIMIT, user_id, self.settings.access(), self.clock.now())
        counter = self._counter(factor, given)
        if counter is None:
            is_taken = self._take_recovery_code(factor, given, address)
        else:
            is_taken = store.claim_counter(factor.id, counter)
        if not is_taken:
            throttle.count_attempt(CODE_LIMIT, user_id, self.clock.now())
            return Proof.WRONG
        throttle.forget_attempts(CODE_LIMIT, user_id)
        return Proof.ENOUGH

    def _counter(self, factor: SecondFactor, code: str) -> int | None:
        secret = self.settings.secrets.open(factor.sealed_secret)
        return None if secret is None else totp.counter_of(secret, totp.normalized(code), self.clock.now())

    def _take_recovery_code(self, factor: SecondFactor, code: str, address: str) -> bool:
        left = [kept for kept in factor.recovery_hashes if kept != _hash(code)]
        if len(left) == len(factor.recovery_hashes):
            return False
        store.keep_codes(factor.id, left)
        whose, action = factor.user_id, AuditAction.RECOVERY_CODE_USED
        audit.write(whose, address, action, "user", whose, self.clock.now(), {"left": len(left)})
        return True


def _hash(code: str) -> str:
    """Hash a recovery code as it is compared. Decision: G816."""
    return token_hash(totp.normalized(code))
