"""What `check-setup` says of the registry's signatures."""

from dataclasses import replace

from seqfacility_instance.core.vocabulary.registry import TrustPolicy
from seqfacility_instance.registry_client.errors import RegistryFault
from seqfacility_instance.registry_client.reachability import PATIENCE_SECONDS
from seqfacility_instance.registry_trust.errors import RegistryNotTrusted
from seqfacility_instance.registry_trust.reading import TrustedRegistry
from seqfacility_instance.site.checks import Check, Verdict

_NAME = "Registry signatures"


def signature_checks(registry: TrustedRegistry) -> list[Check]:
    """Read the registry's index by its signatures; nothing where nobody asks for them.

    Without a registry a facility works on, so nothing fails. That it is out of reach, another check tells.

    Decision: G485, G915.
    """
    if registry.policy() is TrustPolicy.OFF:
        return []
    patient = replace(registry.client, timeout_seconds=PATIENCE_SECONDS)
    try:
        registry.pinned()
        with registry.reading() as reading:
            reading.fetch(registry.url("registry"), patient)
    except RegistryNotTrusted as refused:
        return [_warning("; ".join([refused.text, *refused.__notes__]))]
    except RegistryFault:
        return []
    if reading.warnings:
        return [_warning(reading.warnings[0])]
    return [Check(Verdict.OK, f"{_NAME}: what {registry.base_url} publishes is signed by whom it must be.")]


def _warning(reason: str) -> Check:
    return Check(Verdict.WARN, f"{_NAME}: {reason}. docs/mirrors.md says what that means.")
