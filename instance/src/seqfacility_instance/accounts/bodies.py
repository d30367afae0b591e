"""Requests and answers around accounts."""

from typing import TypedDict

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.core.request_model import RequestModel
from seqfacility_instance.tables import User


class PasswordChange(RequestModel):
    """Body of `POST /api/auth/password`. Gap: G28."""

    current_password: str
    new_password: str


class SessionUser(TypedDict):
    id: str
    email: str
    firstName: str
    lastName: str
    role: str
    isDemo: bool


def session_user(user: User) -> SessionUser:
    """Show the account of a new session. Gap: G23."""
    return {
        "id": user.id,
        "email": user.email,
        "firstName": user.first_name,
        "lastName": user.last_name,
        "role": user.role.value,
        "isDemo": user.is_demo,
    }


def caller_user(caller: SignedIn) -> SessionUser:
    """Show the account of a running session. Gap: G23, G26."""
    return {
        "id": caller.user_id,
        "email": caller.email,
        "firstName": caller.first_name,
        "lastName": caller.last_name,
        "role": caller.role.value,
        "isDemo": caller.is_demo,
    }
