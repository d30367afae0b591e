"""Which rows exist for a caller at all: the wall between the demo workspaces and everybody else.

Every query on orders, samples, studies, runs, streams and tickets takes its condition from here, so a demo
row can never show up outside its workspace, nor a real one inside.
"""

from peewee import Expression, Field, ModelSelect

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.tables.people import DemoWorkspace, User


def in_reach(caller: SignedIn, owner: Field) -> Expression:
    """Return which rows exist for `caller`, by the column that names their owner.

    For a demo session the rows of its workspace's two users, for everybody else all rows but those of demo
    users. What is out of reach is answered like an unknown id.

    Decision: G246, G283.
    """
    if caller.demo_workspace_id is None:
        return owner.not_in(_demo_users())
    workspace = DemoWorkspace.id == caller.demo_workspace_id
    members = DemoWorkspace.select(DemoWorkspace.user).where(workspace) | DemoWorkspace.select(
        DemoWorkspace.admin_user
    ).where(workspace & DemoWorkspace.admin_user.is_null(False))
    return owner.in_(members)


def listed_for(caller: SignedIn, owner: Field) -> Expression:
    """Return which rows a list shows: a researcher's own ones, for an admin all in reach.

    Decision: G74, G80, G83.
    """
    return in_reach(caller, owner) if caller.is_admin else owner == caller.user_id


def sees_nearly_all(caller: SignedIn) -> bool:
    """Return whether a caller lists everything but the demo: then it is cheaper to name what is left out."""
    return caller.is_admin and caller.demo_workspace_id is None


def in_the_demo(owner: Field) -> Expression:
    """Return which rows belong to demo users, by the column that names their owner."""
    return owner.in_(_demo_users())


def _demo_users() -> "ModelSelect[User]":
    return User.select(User.id).where(User.is_demo)
