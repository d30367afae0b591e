"""What somebody at the machine does with accounts, by e-mail and without a session."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_instance.access import audit
from seqfacility_instance.accounts import store, throttle
from seqfacility_instance.accounts.errors import UserNotFound
from seqfacility_instance.accounts.people import People
from seqfacility_instance.accounts.rules import normalized_email
from seqfacility_instance.accounts.second_factors import SecondFactors
from seqfacility_instance.accounts.service import check_new_password
from seqfacility_instance.accounts.sign_in_throttle import SIGN_IN
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import User


@dataclass(frozen=True, slots=True)
class AccountCommands:
    """The accounts of a facility as its operator sees them; those of the demo are nobody's.

    Decision: G472.
    """

    people: People
    second_factors: SecondFactors

    def list_all(self) -> list[User]:
        """List the accounts by e-mail."""
        return store.list_accounts()

    def get(self, email: str) -> User:
        """Return an account; raises `UserNotFound`."""
        user = store.find_user_by_email(normalized_email(email))
        if user is None or user.is_demo:
            raise UserNotFound
        return user

    def change(self, email: str, columns: Mapping[str, object]) -> User:
        """Change columns of an account; raises `UserNotFound` or `LastAdmin`. Decision: G269."""
        self.people.save(None, self.get(email), columns)
        return self.get(email)

    def reset_second_factor(self, email: str) -> User:
        """Let somebody in without a second factor; raises `UserNotFound` or `SecondFactorNotSetUp`.

        Decision: G817.
        """
        user = self.get(email)
        self.second_factors.remove(None, user.id)
        return user

    def reset_password(self, email: str, password: str | None) -> tuple[User, str | None]:
        """Set a password and end all sessions and reset links of the account, and all waiting for a sign-in.

        Without a password one is generated, returned, and has to be changed. Raises `UserNotFound` or
        `PasswordRefused`.

        Decision: G28, G35.
        """
        user = self.get(email)
        generated = None if password else secrets.token_urlsafe(limits.GENERATED_PASSWORD_BYTES)
        chosen = password or generated or ""
        check_new_password(chosen, user.email, self.people.settings.access().site_name)
        columns = {
            "password_hash": self.people.passwords.hash(chosen),
            "must_change_password": generated is not None,
        }
        now = self.people.clock.now()
        with database.atomic():
            store.end_reset_links(user.id, now)
            store.update_user(user.id, columns, now)
            self.people.sessions.end_all(user.id)
            throttle.forget_kind(SIGN_IN, user.email)
            audit.record(None, AuditAction.PASSWORD_RESET, "user", user.id, now)
        return user, generated
