"""What `check-setup` says of the registry: does it answer, and do both clocks agree?"""

from dataclasses import replace

from seqfacility_instance.core.clock import Clock
from seqfacility_instance.registry_client.client import RegistryClient
from seqfacility_instance.registry_client.errors import RegistryFault
from seqfacility_instance.site.checks import Check, Verdict, dated_clock_checks

PATIENCE_SECONDS = 5.0


def registry_checks(registry: RegistryClient, clock: Clock) -> list[Check]:
    """Fetch the registry's index. Without a registry a facility works on, so nothing fails.

    Decision: G485.
    """
    try:
        answer = replace(registry, timeout_seconds=PATIENCE_SECONDS).fetch_dated(registry.url("registry"))
    except RegistryFault as fault:
        text = f"{'; '.join(fault.__notes__)}. Set SERVICE_API_URL to one that runs; it ends in `/api`."
        return [Check(Verdict.WARN, f"Registry: {text}")]
    return [
        Check(Verdict.OK, f"Registry: {registry.base_url} answers."),
        *dated_clock_checks("the registry", answer.date, clock.now()),
    ]
