"""Who calls, as a type: a use case for admins takes a `FacilityAdmin`, and mypy refuses a weaker caller."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from seqfacility_instance.core.vocabulary.people import Role


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Somebody with a valid session or API token. Spec: instance, Authentication 2."""

    user_id: str
    email: str
    first_name: str
    last_name: str
    role: Role
    session_id: str
    address: str
    must_change_password: bool = False
    demo_workspace_id: str | None = None
    """The workspace whose rows are all that a demo session ever sees. Decision: G246."""
    token_id: str | None = None
    """The API token that a request came with instead of a session. Decision: G800."""
    is_confirmed: bool = False
    """Whether this session was begun or confirmed within the last ten minutes. Decision: G810."""
    is_by_provider: bool = False
    """Whether a provider of identities has signed the person in. Decision: G817."""
    lacks_second_factor: bool = False
    """Whether the person has to set up a second factor before anything else. Decision: G817."""

    @property
    def credential_id(self) -> str:
        """What the caller came with: the id of a session or of an API token."""
        return self.token_id or self.session_id

    @property
    def is_admin(self) -> bool:
        """Whether the role is facility admin, in the demo too."""
        return self.role is Role.FACILITY_ADMIN

    @property
    def sees_server_paths(self) -> bool:
        """Whether the caller may know where things lie on the server. Decision: G167."""
        return self.is_admin and not self.is_demo

    @property
    def is_demo(self) -> bool:
        """Whether this is a session of the public demo."""
        return self.demo_workspace_id is not None


@dataclass(frozen=True, slots=True)
class FacilityAdmin(SignedIn):
    """A session with the role of a facility admin, perhaps of the demo. Spec: instance, Authentication 2."""


@dataclass(frozen=True, slots=True)
class LiveFacilityAdmin(FacilityAdmin):
    """A facility admin outside the demo. Spec: instance, Authentication 2."""


def typed_caller(person: Sequence[Any], address: str, session_id: str = "", **known: Any) -> SignedIn:
    """Return the caller behind a user's id, e-mail, names and role, with what else is `known` of them.

    Spec: instance, Authentication 2.
    """
    user_id, email, first_name, last_name, role = person
    kind: type[SignedIn] = SignedIn
    if role == Role.FACILITY_ADMIN:
        kind = FacilityAdmin if known.get("demo_workspace_id") else LiveFacilityAdmin
    return kind(user_id, email, first_name, last_name, Role(role), session_id, address, **known)
