"""A sign-in whose password is being checked while its account changes."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from argon2 import PasswordHasher
from seqfacility_instance.accounts.errors import CredentialsWrong
from seqfacility_instance.accounts.passwords import Passwords
from seqfacility_instance.accounts.service import Accounts, Browser
from seqfacility_instance.tables.people import Session, User
from seqfacility_testkit.facility import PASSWORD, RESEARCHER, Facility

NEW_PASSWORD = "a longer battery staple"

Act = Callable[[Facility], object]


@dataclass
class Meanwhile(AbstractContextManager[None]):
    """The turn of a password hash, after which something else happens once."""

    acts: list[Callable[[], object]] = field(default_factory=list)

    def __exit__(self, *_: object) -> None:
        while self.acts:
            self.acts.pop()()


def accounts_where(facility: Facility, act: Act, **options: Any) -> Accounts:
    """Return the use cases of a server where an act follows the check of a password."""
    turn: Any = Meanwhile([lambda: act(facility)])
    return replace(facility.services.accounts, passwords=Passwords(turn=turn, **options))


def reset_password(facility: Facility) -> None:
    token = facility.admin.post(f"/api/admin/users/{facility.researcher_id}/reset-link").json["token"]
    # Another process hashes: its turns are its own.
    people = replace(facility.services.people.people, passwords=Passwords())
    people.reset_password(token, NEW_PASSWORD, "127.0.0.1")


def change_password(facility: Facility) -> None:
    body = {"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD}
    assert facility.researcher.post("/api/auth/password", body).status_code == 200


def deactivate(facility: Facility) -> None:
    path = f"/api/admin/users/{facility.researcher_id}"
    assert facility.admin.patch(path, {"isActive": False}).status_code == 200


@pytest.mark.parametrize("act", [reset_password, change_password, deactivate])
def test_a_sign_in_with_what_does_not_hold_any_more_is_refused(facility: Facility, act: Act) -> None:
    accounts = accounts_where(facility, act)

    with pytest.raises(CredentialsWrong):
        accounts.sign_in(RESEARCHER, PASSWORD, Browser("127.0.0.1"))

    left = Session.select().where(Session.user == facility.researcher_id).count()
    assert left == (1 if act is change_password else 0)


def test_a_hash_that_is_renewed_brings_no_old_password_back(facility: Facility) -> None:
    accounts = accounts_where(facility, change_password, hasher=PasswordHasher(time_cost=1, memory_cost=64))

    with pytest.raises(CredentialsWrong):
        accounts.sign_in(RESEARCHER, PASSWORD, Browser("127.0.0.1"))

    stored = User.get_by_id(facility.researcher_id).password_hash
    assert Passwords().is_right(NEW_PASSWORD, stored)
