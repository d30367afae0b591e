"""How often somebody may try to sign in: by e-mail and network, by network, by e-mail."""

import hmac
from dataclasses import dataclass, replace
from typing import Final

from seqfacility_wire.client_address import network_of

from seqfacility_instance.accounts import throttle
from seqfacility_instance.accounts.errors import TooManySignIns
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.tables.people import User

SIGN_IN: Final = "sign-in"
"""What the names of all these limits begin with."""

EMAIL_LIMIT: Final = f"{SIGN_IN}:email"
NETWORK_LIMIT: Final = f"{SIGN_IN}:address"


@dataclass(frozen=True, slots=True)
class SignInThrottle:
    """Counts failures without giving anybody a way to keep somebody else out.

    Only failures of its own make a network wait until the window has passed. What fails for an e-mail from
    anywhere delays the next try by seconds, and neither a network that has not failed for this e-mail nor a
    browser in which its owner has signed in before.

    Decision: G29.
    """

    settings: FacilitySettings
    clock: Clock

    def check(self, email: str, address: str, *, is_known_device: bool) -> None:
        """Raise `TooManySignIns` while somebody must wait, whatever the password."""
        access = self.settings.access()
        limit, network, now = throttle.email_limit(access), network_of(address), self.clock.now()
        wait = max(
            throttle.wait_seconds(_of(network), email, limit, now),
            throttle.wait_seconds(NETWORK_LIMIT, network, throttle.network_limit(access), now),
        )
        has_failed_here = throttle.wait_seconds(_of(network), email, replace(limit, maximum=1), now) > 0
        if has_failed_here and not is_known_device:
            wait = max(wait, throttle.delay_seconds(EMAIL_LIMIT, email, limit, now))
        if wait:
            raise TooManySignIns(wait, email)

    def count_failure(self, email: str, address: str) -> None:
        """Count a wrong password, or an e-mail that nobody has."""
        network, now = network_of(address), self.clock.now()
        for limit_name, subject in ((_of(network), email), (NETWORK_LIMIT, network), (EMAIL_LIMIT, email)):
            throttle.count_attempt(limit_name, subject, now)

    def forget_failures(self, email: str, address: str) -> None:
        """Clear the counts of an e-mail whose owner has signed in."""
        throttle.forget_attempts(_of(network_of(address)), email)
        throttle.forget_attempts(EMAIL_LIMIT, email)

    def device_token(self, user_id: str, password_hash: str) -> str:
        """Return what tells a browser from now on as one of this account; another password ends it."""
        return self.settings.secrets.sign(f"known-device\0{user_id}\0{password_hash}")

    def is_known_device(self, user: User | None, token: str | None) -> bool:
        """Return whether the account has signed in where `token` comes from."""
        if user is None or token is None:
            return False
        return hmac.compare_digest(self.device_token(user.id, user.password_hash).encode(), token.encode())


def _of(network: str) -> str:
    """Name the limit of one network for one e-mail, as long as its column takes."""
    return f"{SIGN_IN}@{network}"[:64]
