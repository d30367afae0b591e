"""Endpoints of reference databases."""

from dataclasses import dataclass

from falcon import Request, Response

from seqfacility_instance.access import guard
from seqfacility_instance.pipelines.reference_data.service import ReferenceDatabases


@dataclass(frozen=True, slots=True)
class Databases:
    """All declared databases."""

    databases: ReferenceDatabases

    def on_get(self, req: Request, resp: Response) -> None:
        """List them. Decision: G335."""
        resp.media = {"databases": self.databases.list_all(guard.facility_admin(req))}


@dataclass(frozen=True, slots=True)
class OneDatabase:
    """One declared database."""

    databases: ReferenceDatabases

    def on_delete(self, req: Request, resp: Response, key: str) -> None:
        """Stop fetching it and remove it from the disk. Decision: G335."""
        self.databases.remove(guard.live_facility_admin(req), key)
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class DatabaseFetch:
    """Fetching one database."""

    databases: ReferenceDatabases

    def on_post(self, req: Request, resp: Response, key: str) -> None:
        """Ask for it. Decision: G333, G335."""
        resp.status = 202
        resp.media = {"database": self.databases.request(guard.live_facility_admin(req), key)}
