"""Who may hear that something changed: the rule of `reading` for changes instead of rows."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.owned_rows import in_reach, in_the_demo
from seqfacility_instance.core.vocabulary.live import ChangeKind
from seqfacility_instance.tables.people import User


class Change(Protocol):
    """What decides about a change."""

    @property
    def kind(self) -> ChangeKind:
        """What has changed."""

    @property
    def owner_id(self) -> str:
        """Whose object it is, or belongs to."""

    @property
    def owner_sees(self) -> bool:
        """Whether it is shown to the owner, when that is a researcher."""


_NOBODYS = frozenset({ChangeKind.SESSION, ChangeKind.USER})


@dataclass(frozen=True, slots=True)
class Listener:
    """A caller who is told of changes. `members` are the users of the workspace of a demo session."""

    caller: SignedIn
    members: frozenset[str] | None

    @classmethod
    def of(cls, caller: SignedIn) -> "Listener":
        """Return the listener that a caller is; asks the database for a demo session alone."""
        if not caller.is_demo:
            return cls(caller, None)
        return cls(
            caller, frozenset(user.id for user in User.select(User.id).where(in_reach(caller, User.id)))
        )

    def may_hear(self, change: Change, demo_users: Collection[str]) -> bool:
        """Return whether the caller may know of a change; `demo_users` are those of its owners.

        A researcher hears of own objects, and of nothing that these do not show; an admin of all in reach. A
        notification is for its user alone.

        Decision: G557.
        """
        if change.kind in _NOBODYS:
            return False
        if change.owner_id == self.caller.user_id:
            return self.caller.is_admin or change.owner_sees
        if not self.caller.is_admin or change.kind is ChangeKind.NOTIFICATION:
            return False
        if self.members is not None:
            return change.owner_id in self.members
        return change.owner_id not in demo_users


def demo_users_among(user_ids: Collection[str]) -> frozenset[str]:
    """Return which of these users are of the demo."""
    if not user_ids:
        return frozenset()
    found = User.select(User.id).where(User.id.in_(list(user_ids)) & in_the_demo(User.id))
    return frozenset(user.id for user in found)
