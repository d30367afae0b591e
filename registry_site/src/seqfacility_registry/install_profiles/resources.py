"""The install profiles over HTTP."""

from dataclasses import dataclass

from falcon import MEDIA_JSON, Request, Response
from seqfacility_wire.client_address import client_address
from seqfacility_wire.requests import read_json_object

from seqfacility_registry.answers import json_bytes
from seqfacility_registry.content_folder import ContentFolder
from seqfacility_registry.install_profiles.content import ListedProfile
from seqfacility_registry.install_profiles.errors import InstallProfileNotFound
from seqfacility_registry.install_profiles.rules import (
    InstallProfile,
    bearer_code,
    is_profile_id,
    resolved,
)
from seqfacility_registry.install_profiles.secrets_folder import SecretsFolder
from seqfacility_registry.install_profiles.throttle import AccessCodeThrottle
from seqfacility_registry.links import Links
from seqfacility_registry.publishing import INSTALL_PROFILES, NOT_CACHED, publish

BODY_LIMIT_BYTES = 4 * 1024
"""A code has at most 256 characters. No other endpoint reads a body. Decision: G400."""


@dataclass(frozen=True, slots=True)
class InstallProfileList:
    """The enabled profiles."""

    content: ContentFolder
    links: Links

    def on_get(self, req: Request, resp: Response) -> None:
        """List the enabled profiles. Spec: registry, Install profiles. Decision: G240."""
        profiles = self.content.current().install_profiles.all
        publish(req, resp, profiles.ready(self.links.base_url(req)), INSTALL_PROFILES)


@dataclass(frozen=True, slots=True)
class InstallProfileEntry:
    """One profile and the command that installs it."""

    content: ContentFolder
    links: Links

    def on_get(self, req: Request, resp: Response, profile_id: str) -> None:
        """Return a profile's metadata. Spec: registry, Install profiles. Decision: G240."""
        entry = get_profile(self.content, profile_id).entry
        publish(req, resp, entry.ready(self.links.base_url(req)), INSTALL_PROFILES)


@dataclass(frozen=True, slots=True)
class InstallProfileResolution:
    """The profile as it is installed, secrets included, for who knows a code."""

    content: ContentFolder
    secrets: SecretsFolder
    throttle: AccessCodeThrottle
    trusted_proxies: frozenset[str]

    def on_get(self, req: Request, resp: Response, profile_id: str) -> None:
        """Resolve by bearer header. Spec: registry, Install profiles. Decision: G241."""
        profile = get_profile(self.content, profile_id).profile()
        self._answer(req, resp, profile, bearer_code(req.get_header("Authorization")))

    def on_post(self, req: Request, resp: Response, profile_id: str) -> None:
        """Resolve by the `accessCode` of the body.

        Spec: registry, Install profiles. Decision: G241, G287, G400.
        """
        profile = get_profile(self.content, profile_id).profile()
        code = read_json_object(req, BODY_LIMIT_BYTES).get("accessCode")
        self._answer(req, resp, profile, code if isinstance(code, str) and code else None)

    def _answer(self, req: Request, resp: Response, profile: InstallProfile, code: str | None) -> None:
        kept = self.secrets.read(profile.id)
        if profile.requires_access_code:
            address = client_address(
                req.remote_addr or "", req.get_header("X-Forwarded-For"), self.trusted_proxies
            )
            self.throttle.check(profile.id, address, code, kept.access_code_hashes)
        resp.data = json_bytes(resolved(profile, kept.values))
        resp.content_type = MEDIA_JSON
        resp.set_header("Cache-Control", NOT_CACHED)
        resp.set_header("Content-Disposition", f'attachment; filename="{profile.file_name}"')


def get_profile(content: ContentFolder, profile_id: str) -> ListedProfile:
    """Find a profile that may be named; raises `InstallProfileNotFound`. Decision: G240, G244."""
    if not is_profile_id(profile_id):
        raise InstallProfileNotFound
    profile = content.current().install_profiles.profiles.get(profile_id)
    if profile is None:
        raise InstallProfileNotFound
    return profile
