"""The routes about the installation itself."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.paging import read_page
from seqfacility_wire.requests import query_text, read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.facility_settings.descriptions import descriptions
from seqfacility_instance.facility_settings.modules import modules_answer
from seqfacility_instance.facility_settings.service import section_answer
from seqfacility_instance.site import bodies
from seqfacility_instance.site.audit_care import AuditCare
from seqfacility_instance.site.health import InstallationHealth
from seqfacility_instance.site.service import Site
from seqfacility_instance.version import RELEASE


@dataclass(frozen=True, slots=True)
class InstalledVersion:
    """`/api/version`."""

    def on_get(self, _req: Request, resp: Response) -> None:
        """Tell the installed release. Spec: instance, Instance metadata. Decision: G37."""
        resp.media = {"version": RELEASE}


@dataclass(frozen=True, slots=True)
class SetupStatus:
    """`/api/setup/status`."""

    site: Site

    def on_get(self, _req: Request, resp: Response) -> None:
        """Tell how far the set-up has come. Spec: instance, Instance metadata. Decision: G38."""
        resp.media = bodies.setup_status_answer(self.site, self.site.look())


@dataclass(frozen=True, slots=True)
class Health:
    """`/api/health`."""

    site: Site

    def on_get(self, _req: Request, resp: Response) -> None:
        """Say that process and database answer. Decision: G49."""
        self.site.check_health()
        resp.media = {"status": "ok"}


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """`/api/site`."""

    site: Site

    def on_get(self, _req: Request, resp: Response) -> None:
        """Tell what everybody may know. Decision: G48."""
        resp.media = bodies.site_facts(self.site.facility.access(), is_demo=self.site.settings.is_demo)


@dataclass(frozen=True, slots=True)
class ModuleList:
    """`/api/modules`."""

    site: Site

    def on_get(self, _req: Request, resp: Response) -> None:
        """Tell which modules are on. Spec: instance, Instance metadata."""
        resp.media = modules_answer(self.site.modules())


@dataclass(frozen=True, slots=True)
class ModuleSwitch:
    """`/api/admin/modules`."""

    site: Site

    def on_get(self, _req: Request, resp: Response) -> None:
        """Tell which modules are on. Decision: G39."""
        resp.media = modules_answer(self.site.modules())

    def on_put(self, req: Request, resp: Response) -> None:
        """Switch modules. Decision: G39."""
        caller = guard.live_facility_admin(req)
        changes, switch = bodies.module_changes(read_json_object(req))
        resp.media = modules_answer(self.site.change_modules(caller, changes, switch))


@dataclass(frozen=True, slots=True)
class SettingsSections:
    """`/api/admin/settings`."""

    site: Site

    def on_get(self, req: Request, resp: Response) -> None:
        """Return every section and what it means, and their state as the entity tag.

        Decision: G41, G366, G1030.
        """
        caller = guard.facility_admin(req)
        resp.etag = str(self.site.facility.state())  # before the sections: what is saved meanwhile is newer
        sections = self.site.sections(caller)
        resp.media = {
            "descriptions": descriptions(),
            "sections": {name: section_answer(section) for name, section in sections.items()},
        }


@dataclass(frozen=True, slots=True)
class SettingsSection:
    """`/api/admin/settings/{section}`."""

    site: Site

    def on_patch(self, req: Request, resp: Response, section: str) -> None:
        """Change a section, with `If-Match` only the one that the caller saw. Decision: G41, G366."""
        caller = guard.live_facility_admin(req)
        seen = bodies.seen_state(req.if_match)
        resp.media = section_answer(self.site.change_section(caller, section, read_json_object(req), seen))


@dataclass(frozen=True, slots=True)
class AdminHealth:
    """`/api/admin/health`."""

    health: InstallationHealth

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the health of the installation. Decision: G49."""
        resp.media = bodies.health_answer(self.health.report(guard.facility_admin(req)))


@dataclass(frozen=True, slots=True)
class AuditChain:
    """`/api/admin/audit/chain`."""

    care: AuditCare

    def on_get(self, req: Request, resp: Response) -> None:
        """Tell whether the chain of the audit trail is whole. Decision: G864."""
        guard.live_facility_admin(req)
        resp.media = bodies.audit_chain(self.care.report())


@dataclass(frozen=True, slots=True)
class AuditTrail:
    """`/api/admin/audit`."""

    site: Site

    def on_get(self, req: Request, resp: Response) -> None:
        """Return one page of the audit trail, newest first. Decision: G22."""
        page = read_page(req)
        wanted = bodies.audit_filter(
            query_text(req, "action"),
            query_text(req, "objectId"),
            query_text(req, "actor"),
            query_text(req, "from"),
            query_text(req, "to"),
        )
        events, total = self.site.audit_page(guard.facility_admin(req), wanted, page)
        resp.media = {"events": [bodies.audit_event(event) for event in events], **page.keys(total)}
