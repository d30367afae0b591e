"""Queries on demo workspaces, and finding what a workspace holds."""

from datetime import datetime

from seqfacility_instance.core import limits
from seqfacility_instance.tables.messages import Ticket
from seqfacility_instance.tables.orders import Order
from seqfacility_instance.tables.people import DemoWorkspace, User
from seqfacility_instance.tables.pipelines import PipelineRun
from seqfacility_instance.tables.streams import StreamRun
from seqfacility_instance.tables.studies import Study


def find_live(workspace_id: str, now: datetime) -> DemoWorkspace | None:
    """Find a workspace whose life is not over. Decision: G246."""
    return DemoWorkspace.get_or_none((DemoWorkspace.id == workspace_id) & (DemoWorkspace.expires_at > now))


def insert_workspace(token_hash: str, researcher: User, admin: User, now: datetime) -> DemoWorkspace:
    """Make a workspace of two people. Decision: G246."""
    return DemoWorkspace.create(
        token_hash=token_hash,
        user=researcher,
        admin_user=admin,
        seed_version=limits.DEMO_SEED_VERSION,
        last_seen_at=now,
        expires_at=now + limits.DEMO_WORKSPACE_LIFE,
        created_at=now,
        updated_at=now,
    )


def note_seen(workspace_id: str, now: datetime) -> None:
    """Note that a visitor came back."""
    DemoWorkspace.update(last_seen_at=now, updated_at=now).where(DemoWorkspace.id == workspace_id).execute()


def next_expired(now: datetime) -> DemoWorkspace | None:
    """Find the workspace that expired first. Decision: G246."""
    found: DemoWorkspace | None = (
        DemoWorkspace.select()
        .where(DemoWorkspace.expires_at <= now)
        .order_by(DemoWorkspace.expires_at)
        .first()
    )
    return found


def claim_removal(workspace_id: str) -> bool:
    """Delete a workspace, its sessions with it; False when another worker did."""
    removed: int = DemoWorkspace.delete().where(DemoWorkspace.id == workspace_id).execute()
    return removed == 1


def orders_of(user_ids: list[str]) -> list[Order]:
    """List the orders of the people of a workspace."""
    return list(Order.select().where(Order.user.in_(user_ids)))


def study_ids_of(user_ids: list[str]) -> list[str]:
    """Name the studies of the people of a workspace."""
    return [study.id for study in Study.select(Study.id).where(Study.user.in_(user_ids))]


def run_ids_of(user_ids: list[str]) -> list[str]:
    """Name the pipeline runs of the people of a workspace."""
    return [run.id for run in PipelineRun.select(PipelineRun.id).where(PipelineRun.user.in_(user_ids))]


def stream_run_ids_of(order_id: str) -> list[str]:
    """Name the stream runs of an order."""
    return [run.id for run in StreamRun.select(StreamRun.id).where(StreamRun.order == order_id)]


def ticket_ids_of(user_ids: list[str]) -> list[str]:
    """Name the tickets of the people of a workspace."""
    return [ticket.id for ticket in Ticket.select(Ticket.id).where(Ticket.user.in_(user_ids))]
