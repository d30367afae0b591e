"""The checklist endpoints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from falcon import Request, Response
from seqfacility_wire.requests import query_text, read_json_object
from seqfacility_wire.timestamps import format_optional_time

from seqfacility_instance.access import guard
from seqfacility_instance.checklists import bodies
from seqfacility_instance.checklists.errors import ActionUnknown
from seqfacility_instance.checklists.service import Checklists, Update
from seqfacility_instance.core.vocabulary.forms import ChecklistAction

if TYPE_CHECKING:
    from seqfacility_schemas import answers


@dataclass(frozen=True, slots=True)
class ChecklistList:
    """The list of checklists, or one of them; open to everybody."""

    checklists: Checklists

    def on_get(self, req: Request, resp: Response) -> None:
        """List the checklists, or define one of them. Spec: instance, MIxS checklists. Decision: G65, G67."""
        accession, name = query_text(req, "accession"), query_text(req, "name")
        query = accession or name
        if query is None:
            version = self.checklists.active_version()
            listed = bodies.in_order(self.checklists.offered(version))
            resp.media = {"checklists": listed, "total": len(listed), "version": version}
        else:
            found = self.checklists.definition(
                query, query_text(req, "version"), by_accession=accession is not None
            )
            resp.media = bodies.definition(*found)


@dataclass(frozen=True, slots=True)
class TemplateList:
    """Checklists for the form builder."""

    checklists: Checklists

    def on_get(self, req: Request, resp: Response) -> None:
        """List the templates, or give one of them. Spec: instance, MIxS checklists. Decision: G68."""
        name, version = query_text(req, "name"), query_text(req, "version")
        if name is None:
            checklists, number = self.checklists.templates(version)
            templates = [bodies.template(checklist, number) for checklist in checklists]
            resp.media = {"templates": templates, "version": number}
        else:
            resp.media = bodies.template(*self.checklists.template(name, version))


@dataclass(frozen=True, slots=True)
class ChecklistAdministration:
    """The admin's list of checklists, and their updates."""

    checklists: Checklists

    def on_get(self, req: Request, resp: Response) -> None:
        """List the checklists as an admin sees them. Decision: G70, G1043."""
        overview = self.checklists.overview(guard.facility_admin(req))
        resp.media = {
            "version": overview.version,
            "versions": overview.versions,
            "sourceUrl": self.checklists.source_url,
            "lastCheckedAt": format_optional_time(overview.last_checked_at),
            "checklists": [
                bodies.admin_summary(
                    one,
                    available=one.accession not in overview.switched_off,
                    studies=overview.studies.get(one.accession, 0),
                )
                for one in overview.summaries
            ],
        }

    def on_post(self, req: Request, resp: Response) -> None:
        """Check or apply, switch one list on or off, or go to another stored version. Decision: G70, G444."""
        caller = guard.live_facility_admin(req)
        body = read_json_object(req)
        match body.get("action"):
            case ChecklistAction.CHECK_UPDATES.value:
                resp.media = _update(self.checklists.check_updates(caller))
            case ChecklistAction.APPLY_UPDATES.value:
                applied = self.checklists.apply_updates(caller, force=body.get("force") is True)
                resp.media = {**_update(applied), "applied": applied.applied}
            case ChecklistAction.SET_AVAILABLE.value:
                self.checklists.set_available(caller, body.get("accession"), body.get("available"))
                resp.media = {"success": True}
            case ChecklistAction.ACTIVATE_VERSION.value:
                self.checklists.activate_version(caller, body.get("version"))
                resp.media = {"success": True}
            case ChecklistAction.RESET.value:
                self.checklists.reset(caller)
                resp.media = {"success": True}
            case _:
                raise ActionUnknown


@dataclass(frozen=True, slots=True)
class OneChecklist:
    """One checklist as an admin sees it."""

    checklists: Checklists

    def on_get(self, req: Request, resp: Response, accession: str) -> None:
        """Return a version of a checklist, switched off or not. Decision: G1043."""
        caller = guard.facility_admin(req)
        found = self.checklists.admin_definition(caller, accession, query_text(req, "version"))
        resp.media = bodies.definition(*found)


def _update(update: Update) -> answers.ChecklistUpdate:
    return bodies.update(
        update.difference,
        update.remote,
        has_updates=update.has_updates,
        current_version=update.current_version,
        remote_version=update.remote_version,
        switched_off=update.switched_off,
    )
