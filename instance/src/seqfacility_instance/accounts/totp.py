"""Rules of one-time codes: those of an authenticator app, and those for the day that it is lost."""

import hmac
from datetime import datetime
from typing import Final

import pyotp

STEP_SECONDS: Final = 30
_DRIFT_STEPS: Final = 1
"""How far the clock of a telephone may be off, either way."""

_RECOVERY_CODES: Final = 10
_RECOVERY_CHARACTERS: Final = 16
"""80 random bits: one round of SHA-256 keeps them, as it does session tokens."""


def new_secret() -> str:
    """Make the secret of an app: 160 random bits, as RFC 4226 asks."""
    return pyotp.random_base32()


def app_uri(secret: str, email: str, site_name: str) -> str:
    """Return what an app reads from a QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=email, issuer_name=site_name or "SeqFacility")


def counter_of(secret: str, code: str, now: datetime) -> int | None:
    """Return the time step that a code is of; None when it is none of this time, or of a neighbouring step.

    Decision: G815.
    """
    app, current = pyotp.TOTP(secret), int(now.timestamp()) // STEP_SECONDS
    for counter in range(current - _DRIFT_STEPS, current + _DRIFT_STEPS + 1):
        if hmac.compare_digest(app.generate_otp(counter).encode(), code.encode("utf-8", "surrogatepass")):
            return counter
    return None


def new_recovery_codes() -> list[str]:
    """Make ten codes of sixteen letters and digits in groups of four. Decision: G816."""
    made = []
    for _ in range(_RECOVERY_CODES):
        text = pyotp.random_base32()[:_RECOVERY_CHARACTERS].lower()
        made.append("-".join(text[start : start + 4] for start in range(0, len(text), 4)))
    return made


def normalized(code: str) -> str:
    """Return a code as it is compared: people type blanks, hyphens and capitals as they like."""
    return "".join(character for character in code if character.isalnum()).lower()
