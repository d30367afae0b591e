"""The route on the signatures of registries."""

from dataclasses import dataclass

from falcon import Request, Response

from seqfacility_instance.access import guard
from seqfacility_instance.registry_trust import bodies
from seqfacility_instance.registry_trust.service import RegistryTrusts


@dataclass(frozen=True, slots=True)
class TrustOverview:
    """`/api/admin/registry-trust`."""

    trusts: RegistryTrusts

    def on_get(self, req: Request, resp: Response) -> None:
        """Tell who signed what the registry publishes, and until when. Decision: G921."""
        resp.media = bodies.trust(self.trusts.report(guard.facility_admin(req)))
