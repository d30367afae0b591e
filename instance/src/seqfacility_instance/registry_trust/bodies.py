"""Answers on the signatures of registries."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from seqfacility_wire.timestamps import format_time

from seqfacility_instance.registry_trust.rules import SignedRole, signature_state
from seqfacility_instance.registry_trust.service import SeenRegistry, TrustReport
from seqfacility_instance.tables.registry_trust import RegistryRefusal

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def trust(report: TrustReport) -> answers.RegistryTrust:
    """Write how registries are trusted. Decision: G921, G980."""
    verified = {seen.address: seen.verified_at for seen in report.registries if seen.verified_at is not None}
    return {
        "address": report.address,
        "policy": report.policy.value,
        "setting": None if report.setting is None else report.setting.value,
        "rootPinned": report.is_pinned,
        "registries": [_registry(seen, report.now) for seen in report.registries],
        "refusals": [_refusal(row, verified) for row in report.refusals],
    }


def _registry(seen: SeenRegistry, now: datetime) -> answers.SeenRegistry:
    return {
        "address": seen.address,
        "verifiedAt": None if seen.verified_at is None else format_time(seen.verified_at),
        "roles": [_role(role, now) for role in seen.roles],
        "publishers": [{"name": name, "keys": list(keys)} for name, keys in seen.publishers.items()],
    }


def _role(role: SignedRole, now: datetime) -> answers.SignedRole:
    return {
        "name": role.name,
        "version": role.version,
        "expires": format_time(role.expires),
        "state": signature_state(role.name, role.expires, now).value,
        "threshold": role.threshold,
        "signedBy": list(role.signed_by),
        "documents": role.documents,
    }


def _refusal(row: RegistryRefusal, verified: Mapping[str, datetime]) -> answers.RegistryRefusal:
    seen = verified.get(row.address)
    return {
        "address": row.address,
        "kind": row.kind.value,
        "message": row.message,
        "reason": row.reason,
        "at": format_time(row.refused_at),
        "isOver": seen is not None and seen >= row.refused_at,
    }
