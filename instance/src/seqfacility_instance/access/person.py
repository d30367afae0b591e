"""How an answer names a person."""

from typing import TypedDict

from seqfacility_instance.tables.people import User


class Person(TypedDict):
    id: str
    firstName: str
    lastName: str
    email: str


def person(user: User) -> Person:
    """Show who somebody is. Decision: G23."""
    return {
        "id": user.id,
        "firstName": user.first_name,
        "lastName": user.last_name,
        "email": user.email,
    }
