"""Endpoints of pipelines: what everybody may see, and what admins decide."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.requests import query_text, read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.pipelines.bodies import Decision, RepositoryRequest, as_json
from seqfacility_instance.pipelines.errors import InvalidPipelineId, InvalidPipelineVersion
from seqfacility_instance.pipelines.installation import Installation
from seqfacility_instance.pipelines.readiness import Readiness
from seqfacility_instance.pipelines.rules import decision_tag
from seqfacility_instance.pipelines.service import Pipelines
from seqfacility_instance.site.bodies import seen_tags


@dataclass(frozen=True, slots=True)
class OfferedPipelines:
    """The enabled pipelines."""

    pipelines: Pipelines

    def on_get(self, req: Request, resp: Response) -> None:
        """List what runs can be made of. Decision: G141."""
        caller = guard.signed_in(req)
        resp.media = {"pipelines": self.pipelines.list_offered(caller, query_text(req, "target"))}


@dataclass(frozen=True, slots=True)
class PipelineDefinition:
    """The steps of one pipeline."""

    pipelines: Pipelines

    def on_get(self, req: Request, resp: Response, pipeline_id: str) -> None:
        """Return the steps. Decision: G141."""
        resp.media = self.pipelines.definition(guard.signed_in(req), pipeline_id)


@dataclass(frozen=True, slots=True)
class InstalledPipelines:
    """Everything that is installed."""

    pipelines: Pipelines

    def on_get(self, req: Request, resp: Response) -> None:
        """List the installed pipelines. Decision: G142."""
        resp.media = {"pipelines": self.pipelines.list_installed(guard.facility_admin(req))}


@dataclass(frozen=True, slots=True)
class InstalledPipeline:
    """One installed pipeline."""

    pipelines: Pipelines

    def on_get(self, req: Request, resp: Response, pipeline_id: str) -> None:
        """Return it; the `ETag` names its version, configuration and switch. Decision: G142, G1094."""
        guard.facility_admin(req)
        shown = self.pipelines.shown(pipeline_id)
        resp.etag = decision_tag(
            shown["currentVersion"], as_json(shown["config"]), is_enabled=shown["enabled"]
        )
        resp.media = {"pipeline": shown}

    def on_put(self, req: Request, resp: Response, pipeline_id: str) -> None:
        """Enable, disable or configure it, or choose its version; with `If-Match`, only in the seen state.

        Decision: G142, G442, G1094.
        """
        caller = guard.live_facility_admin(req)
        seen = seen_tags(req.if_match)
        self.pipelines.shown(pipeline_id)
        change = Decision.read(read_json_object(req))
        resp.media = {"pipeline": self.pipelines.configure(caller, pipeline_id, change, seen)}

    def on_delete(self, req: Request, resp: Response, pipeline_id: str) -> None:
        """Remove it. Decision: G144."""
        self.pipelines.remove(guard.live_facility_admin(req), pipeline_id)
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class PipelineStore:
    """What the registry offers."""

    installation: Installation

    def on_get(self, req: Request, resp: Response) -> None:
        """Show the registry's index. Decision: G143."""
        resp.media = self.installation.list_store(guard.facility_admin(req))


@dataclass(frozen=True, slots=True)
class PipelineInstallation:
    """Installing from the registry."""

    installation: Installation

    def on_post(self, req: Request, resp: Response) -> None:
        """Install one version. Decision: G144."""
        caller = guard.live_facility_admin(req)
        body = read_json_object(req)
        pipeline_id, version = body.get("pipelineId"), body.get("version")
        if not isinstance(pipeline_id, str):
            raise InvalidPipelineId
        if version is not None and not isinstance(version, str):
            raise InvalidPipelineVersion
        installed = self.installation.install(
            caller, pipeline_id, version, allow_downgrade=body.get("allowDowngrade") is True
        )
        resp.status = 201
        resp.media = installed


@dataclass(frozen=True, slots=True)
class PipelineImport:
    """Installing from a git repository."""

    installation: Installation

    def on_post(self, req: Request, resp: Response) -> None:
        """Install one package. Decision: G336."""
        caller = guard.live_facility_admin(req)
        request = RepositoryRequest.read(read_json_object(req))
        resp.status = 201
        resp.media = {"pipeline": self.installation.import_package(caller, request)}


@dataclass(frozen=True, slots=True)
class AllReadiness:
    """What the installed pipelines lack to be run."""

    readiness: Readiness

    def on_get(self, req: Request, resp: Response) -> None:
        """Look at all of them. Decision: G338."""
        resp.media = {"pipelines": self.readiness.of_all(guard.facility_admin(req))}


@dataclass(frozen=True, slots=True)
class OneReadiness:
    """What one installed pipeline lacks to be run."""

    readiness: Readiness

    def on_get(self, req: Request, resp: Response, pipeline_id: str) -> None:
        """Look at it. Decision: G338."""
        resp.media = {"pipeline": self.readiness.of_one(guard.facility_admin(req), pipeline_id)}
