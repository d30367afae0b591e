"""The form endpoints."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.paging import read_page
from seqfacility_wire.requests import query_text, read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.core import limits
from seqfacility_instance.forms import bodies
from seqfacility_instance.forms.rules import read_form
from seqfacility_instance.forms.service import Forms
from seqfacility_instance.site.bodies import seen_state, seen_tags


@dataclass(frozen=True, slots=True)
class OrderFormSchema:
    """The order form as the caller may fill it in."""

    forms: Forms

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the order form as the caller may fill it in. Spec: instance, Form schemas."""
        resp.media = bodies.form_schema(*self.forms.order_fields_for(guard.signed_in(req)))


@dataclass(frozen=True, slots=True)
class StudyFormSchema:
    """The study form as the caller may fill it in."""

    forms: Forms

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the study form as the caller may fill it in. Spec: instance, Form schemas."""
        caller = guard.signed_in(req)
        resp.media = bodies.study_form_schema(
            *self.forms.study_fields_for(caller, query_text(req, "studyId"))
        )


@dataclass(frozen=True, slots=True)
class OrderFormConfig:
    """The order form as an admin edits it."""

    forms: Forms

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the order form unfiltered, with its version as `ETag`. Decision: G55, G1021."""
        saved = self.forms.saved_order_form(guard.facility_admin(req))
        resp.etag = str(saved.order_form.version)
        resp.media = bodies.form_config(saved)

    def on_put(self, req: Request, resp: Response) -> None:
        """Save the next version; with `If-Match`, only over that version. Decision: G55, G1021."""
        caller = guard.live_facility_admin(req)
        seen = seen_state(req.if_match)
        body = read_json_object(req, limits.LARGE_JSON_BODY_MAX_BYTES)
        save = bodies.OrderFormSave.read(body)
        form = read_form(body.get("fields"), body.get("groups"))
        base = save.base_version if seen is None else seen
        saved = self.forms.save_order_form(caller, form, save.enabled_mixs_checklists, base)
        resp.etag = str(saved.order_form.version)
        resp.media = bodies.form_config(saved)


@dataclass(frozen=True, slots=True)
class OrderFormVersions:
    """The saved versions of the order form."""

    forms: Forms

    def on_get(self, req: Request, resp: Response) -> None:
        """List them, the newest first. Decision: G1020."""
        caller, page = guard.facility_admin(req), read_page(req)
        versions, total = self.forms.order_form_versions(caller, page.limit, page.offset)
        resp.media = {"versions": bodies.form_versions(versions), **page.keys(total)}


@dataclass(frozen=True, slots=True)
class OneOrderFormVersion:
    """One saved version of the order form."""

    forms: Forms

    def on_get(self, req: Request, resp: Response, version: str) -> None:
        """Return the form as it was saved. Decision: G1020."""
        caller = guard.facility_admin(req)
        resp.media = bodies.form_config(self.forms.order_form_version(caller, bodies.read_version(version)))


@dataclass(frozen=True, slots=True)
class StudyFormConfig:
    """The global study form, or the form of one study, as an admin edits it."""

    forms: Forms

    def on_get(self, req: Request, resp: Response) -> None:
        """Return the study form unfiltered, with an `ETag`. Decision: G61, G1024."""
        applied = self.forms.study_form(guard.facility_admin(req), query_text(req, "studyId"))
        resp.etag = applied.tag
        resp.media = bodies.study_form_config(applied)

    def on_put(self, req: Request, resp: Response) -> None:
        """Save the form; with `If-Match`, only over that state. Decision: G61, G1024."""
        caller = guard.live_facility_admin(req)
        seen = seen_tags(req.if_match)
        body = read_json_object(req, limits.LARGE_JSON_BODY_MAX_BYTES)
        study_id = query_text(req, "studyId")
        applied = self.forms.save_study_form(caller, study_id, body.get("fields"), body.get("groups"), seen)
        resp.etag = applied.tag
        resp.media = bodies.study_form_config(applied)


@dataclass(frozen=True, slots=True)
class StudyFormVersions:
    """The saved versions of the global study form, or of the form of one study."""

    forms: Forms

    def on_get(self, req: Request, resp: Response) -> None:
        """List them, the newest first. Decision: G1026."""
        caller, page, study_id = guard.facility_admin(req), read_page(req), query_text(req, "studyId")
        versions, total = self.forms.study_form_versions(caller, study_id, page.limit, page.offset)
        resp.media = {"versions": bodies.form_versions(versions), **page.keys(total)}


@dataclass(frozen=True, slots=True)
class OneStudyFormVersion:
    """One saved version of a study form."""

    forms: Forms

    def on_get(self, req: Request, resp: Response, version: str) -> None:
        """Return the form as it was saved. Decision: G1026."""
        caller, number = guard.facility_admin(req), bodies.read_version(version)
        resp.media = bodies.study_form_version(
            self.forms.study_form_version(caller, query_text(req, "studyId"), number)
        )


@dataclass(frozen=True, slots=True)
class StudyFormImpact:
    """The effect of saving a study form."""

    forms: Forms

    def on_post(self, req: Request, resp: Response) -> None:
        """Return how many studies would use a form that is not saved. Decision: G1025."""
        caller = guard.live_facility_admin(req)
        body = read_json_object(req, limits.LARGE_JSON_BODY_MAX_BYTES)
        study_id = query_text(req, "studyId")
        resp.media = {
            "studies": self.forms.count_affected_studies(
                caller, study_id, body.get("fields"), body.get("groups")
            )
        }
