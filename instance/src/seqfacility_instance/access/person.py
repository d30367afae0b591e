"""How an answer names a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seqfacility_instance.tables.people import User

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def person(user: User) -> answers.Person:
    """Show who somebody is. Decision: G23."""
    return {
        "id": user.id,
        "firstName": user.first_name,
        "lastName": user.last_name,
        "email": user.email,
    }
