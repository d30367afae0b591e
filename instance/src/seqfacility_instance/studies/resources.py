"""The study endpoints."""

from dataclasses import dataclass

from falcon import HTTP_201, Request, Response
from seqfacility_wire.paging import read_page
from seqfacility_wire.requests import query_text, read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.access.opened import open_study
from seqfacility_instance.core import limits
from seqfacility_instance.orders.sample_bodies import sample_shape, save_warnings
from seqfacility_instance.studies import bodies
from seqfacility_instance.studies.rules import permitted
from seqfacility_instance.studies.service import Studies


@dataclass(frozen=True, slots=True)
class StudyList:
    """Studies that the caller may see; makes new ones."""

    studies: Studies

    def on_get(self, req: Request, resp: Response) -> None:
        """List them, newest first. Decision: G83, G269."""
        page = read_page(req)
        caller = guard.signed_in(req)
        shown, total = self.studies.list_page(caller, query_text(req, "q"), page.limit, page.offset)
        resp.media = {"studies": [bodies.listed_study(study) for study in shown], **page.keys(total)}

    def on_post(self, req: Request, resp: Response) -> None:
        """Make a study. Decision: G82."""
        caller = guard.signed_in(req)
        new = bodies.NewStudy.read(permitted(read_json_object(req), is_admin=caller.is_admin))
        resp.status = HTTP_201
        shown, warnings = self.studies.create(caller, new)
        resp.media = {"study": bodies.study_shape(shown), **save_warnings(warnings)}


@dataclass(frozen=True, slots=True)
class OneStudy:
    """One study."""

    studies: Studies

    def on_get(self, req: Request, resp: Response, study_id: str) -> None:
        """Return a study with its samples. Decision: G82."""
        resp.media = {
            "study": bodies.study_shape(self.studies.show(open_study(guard.signed_in(req), study_id)))
        }

    def on_put(self, req: Request, resp: Response, study_id: str) -> None:
        """Change what is sent. Decision: G9, G83."""
        study = open_study(guard.signed_in(req), study_id)
        save = bodies.StudySave.read(permitted(read_json_object(req), is_admin=study.caller.is_admin))
        shown, warnings = self.studies.save(study, save)
        resp.media = {"study": bodies.study_shape(shown), **save_warnings(warnings)}

    def on_delete(self, req: Request, resp: Response, study_id: str) -> None:
        """Delete a study; its samples stay. Decision: G83."""
        self.studies.delete(open_study(guard.signed_in(req), study_id))
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class StudySamples:
    """The samples of a study."""

    studies: Studies

    def on_post(self, req: Request, resp: Response, study_id: str) -> None:
        """Put samples into the study. Decision: G83."""
        study = open_study(guard.signed_in(req), study_id)
        named = bodies.SampleIds.read(read_json_object(req))
        added, samples = self.studies.add_samples(study, named.sample_ids)
        resp.media = {"added": added, "samples": [sample_shape(sample) for sample in samples]}

    def on_put(self, req: Request, resp: Response, study_id: str) -> None:
        """Change the metadata of its samples. Decision: G83."""
        study = open_study(guard.signed_in(req), study_id)
        save = bodies.StudySamplesSave.read(read_json_object(req, limits.LARGE_JSON_BODY_MAX_BYTES))
        samples, warnings = self.studies.save_samples(study, save.samples)
        resp.media = {"samples": [sample_shape(sample) for sample in samples], **save_warnings(warnings)}

    def on_delete(self, req: Request, resp: Response, study_id: str) -> None:
        """Take samples out of the study. Decision: G83."""
        study = open_study(guard.signed_in(req), study_id)
        body = read_json_object(req)
        if "sampleIds" not in body and (listed := query_text(req, "sampleIds")):
            body["sampleIds"] = [name for name in listed.split(",") if name]
        named = bodies.SampleIds.read(body)
        resp.media = {"removed": self.studies.remove_samples(study, named.sample_ids)}


@dataclass(frozen=True, slots=True)
class StudyImpact:
    """What a version of the checklist means for a study."""

    studies: Studies

    def on_get(self, req: Request, resp: Response, study_id: str) -> None:
        """Return what another checklist version would change here. Decision: G296, G306."""
        study = open_study(guard.signed_in(req), study_id)
        found = self.studies.impact(study, query_text(req, "version"))
        resp.media = {"impact": bodies.impact_shape(*found)}
