"""The routes about the installation itself."""

from dataclasses import dataclass
from pathlib import Path

from falcon import Request, Response
from seqfacility_wire.requests import query_int, query_text, read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary import DatabaseEngine, Engine
from seqfacility_instance.facility_settings.modules import modules_answer
from seqfacility_instance.facility_settings.service import section_answer
from seqfacility_instance.site import bodies, store
from seqfacility_instance.site.service import FolderState, Site
from seqfacility_instance.version import RELEASE


@dataclass(frozen=True, slots=True)
class InstalledVersion:
    """`/api/version`."""

    def on_get(self, _req: Request, resp: Response) -> None:
        """Tell the installed release. Spec: instance, Instance metadata. Gap: G37."""
        resp.media = {"version": RELEASE}


@dataclass(frozen=True, slots=True)
class SetupStatus:
    """`/api/setup/status`."""

    site: Site

    def on_get(self, _req: Request, resp: Response) -> None:
        """Tell how far the set-up has come. Spec: instance, Instance metadata. Gap: G38."""
        resp.media = bodies.setup_status_answer(self.site, self.site.look())


@dataclass(frozen=True, slots=True)
class Health:
    """`/api/health`."""

    site: Site

    def on_get(self, _req: Request, resp: Response) -> None:
        """Say that process and database answer. Gap: G49."""
        self.site.check_health()
        resp.media = {"status": "ok"}


@dataclass(frozen=True, slots=True)
class SiteFacts:
    """`/api/site`."""

    site: Site

    def on_get(self, _req: Request, resp: Response) -> None:
        """Tell what everybody may know. Gap: G48."""
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
        """Tell which modules are on. Gap: G39."""
        resp.media = modules_answer(self.site.modules())

    def on_put(self, req: Request, resp: Response) -> None:
        """Switch modules. Gap: G39."""
        caller = guard.live_facility_admin(req)
        changes, switch = bodies.module_changes(read_json_object(req))
        resp.media = modules_answer(self.site.change_modules(caller, changes, switch))


@dataclass(frozen=True, slots=True)
class SettingsSections:
    """`/api/admin/settings`."""

    site: Site

    def on_get(self, req: Request, resp: Response) -> None:
        """Give every section. Gap: G41."""
        sections = self.site.sections(guard.facility_admin(req))
        resp.media = {"sections": {name: section_answer(section) for name, section in sections.items()}}


@dataclass(frozen=True, slots=True)
class SettingsSection:
    """`/api/admin/settings/{section}`."""

    site: Site

    def on_patch(self, req: Request, resp: Response, section: str) -> None:
        """Change a section. Gap: G41."""
        caller = guard.live_facility_admin(req)
        resp.media = section_answer(self.site.change_section(caller, section, read_json_object(req)))


@dataclass(frozen=True, slots=True)
class AdminHealth:
    """`/api/admin/health`."""

    site: Site

    def on_get(self, req: Request, resp: Response) -> None:
        """Tell an admin how the installation fares. Gap: G49."""
        caller = guard.facility_admin(req)
        site = self.site
        storage, execution = site.facility.storage(), site.facility.execution()
        base = Path(storage.data_base_path) if storage.data_base_path else None
        runs = Path(execution.run_directory) if execution.run_directory else base and base / "pipeline_runs"
        streams = site.facility.stream_ingest().output_root
        waiting, failed = site.background_counts(caller)
        open_uploads, stale_uploads = store.count_uploads(
            site.clock.now(), site.facility.uploads().session_ttl_hours
        )
        resp.media = {
            "version": RELEASE,
            "database": {"engine": site.engine.value, "sizeBytes": self._database_bytes()},
            "storage": bodies.folder_answer(FolderState(base), with_free_bytes=True),
            "runDirectory": bodies.folder_answer(FolderState(runs)),
            "streamRoot": bodies.folder_answer(FolderState(Path(streams) if streams else None)),
            "engines": {
                "nextflow": self._engine(Engine.NEXTFLOW, execution.nextflow_command),
                "snakemake": self._engine(Engine.SNAKEMAKE, execution.snakemake_command),
            },
            "slurm": {"found": site.has_slurm()},
            "processes": [bodies.heartbeat_answer(heartbeat) for heartbeat in site.heartbeats(caller)],
            "uploads": {"open": open_uploads, "stale": stale_uploads},
            "background": {"waiting": waiting, "failed": failed},
        }

    def _database_bytes(self) -> int | None:
        address = self.site.settings.database_address
        is_sqlite = self.site.engine is DatabaseEngine.SQLITE
        return Path(address).stat().st_size if is_sqlite else store.postgresql_bytes()

    def _engine(self, engine: Engine, command: str) -> dict[str, object]:
        version = self.site.engine_versions.version(engine, command)
        return {"found": version is not None, "version": version}


@dataclass(frozen=True, slots=True)
class AuditTrail:
    """`/api/admin/audit`."""

    def on_get(self, req: Request, resp: Response) -> None:
        """Give one page of the audit trail, newest first. Gap: G22."""
        limit = query_int(req, "limit", limits.PAGE_DEFAULT_LIMIT, 1, limits.PAGE_MAX_LIMIT)
        offset = query_int(req, "offset", 0, 0, 2**53)
        events, total = store.list_audit(
            query_text(req, "action"), query_text(req, "objectId"), limit, offset
        )
        resp.media = {
            "events": [bodies.audit_event(event) for event in events],
            "total": total,
            "limit": limit,
            "offset": offset,
        }
