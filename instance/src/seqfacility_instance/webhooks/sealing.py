"""Secrets of webhooks, encrypted together with the facility that they belong to."""

from seqfacility_instance.facility_settings.identity_record import find_identity
from seqfacility_instance.facility_settings.secret_box import SecretBox


def seal(secret: str, box: SecretBox) -> str:
    """Encrypt a secret for this facility; raises `KeyUnusable`."""
    return box.seal(f"{_facility_id()} {secret}")


def opened(sealed: str, box: SecretBox) -> str | None:
    """Decrypt a secret; None with another key, and in a copy of the facility that has sealed it.

    WHY: a copy, made to rehearse a restore or to try an upgrade, has all webhooks of its original, and must
    tell its receivers nothing. Decision: G856.
    """
    facility_id, _, secret = (box.open(sealed) or "").partition(" ")
    return secret if secret and facility_id == _facility_id() else None


def _facility_id() -> str:
    record = find_identity()
    return "" if record is None else record.facility_id
