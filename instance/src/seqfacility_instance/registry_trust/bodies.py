"""Answers on the signatures of registries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqfacility_wire.timestamps import format_time

from seqfacility_instance.registry_trust.rules import SignedRole
from seqfacility_instance.registry_trust.service import SeenRegistry, TrustReport

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def trust(report: TrustReport) -> answers.RegistryTrust:
    """Write how registries are trusted. Decision: G921."""
    return {
        "address": report.address,
        "policy": report.policy.value,
        "rootPinned": report.is_pinned,
        "registries": [_registry(seen) for seen in report.registries],
    }


def _registry(seen: SeenRegistry) -> answers.SeenRegistry:
    return {
        "address": seen.address,
        "verifiedAt": format_time(seen.verified_at),
        "roles": [_role(role) for role in seen.roles],
    }


def _role(role: SignedRole) -> answers.SignedRole:
    return {
        "name": role.name,
        "version": role.version,
        "expires": format_time(role.expires),
        "threshold": role.threshold,
        "signedBy": list(role.signed_by),
        "documents": role.documents,
    }
