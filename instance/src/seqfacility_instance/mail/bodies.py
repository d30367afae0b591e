"""Requests and answers around mail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from seqfacility_wire.errors import ValidationFailed
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.core.request_model import RequestModel
from seqfacility_instance.core.vocabulary.mail import MailKind, MailTiming
from seqfacility_instance.mail.rules import kinds_for
from seqfacility_instance.tables.mail import OutgoingMail

if TYPE_CHECKING:
    from collections.abc import Mapping

    from seqfacility_schemas import answers

_CHOSEN = frozenset(kinds_for(is_admin=True))


class Preference(RequestModel):
    """When somebody wants to be told of one kind of event."""

    event: Annotated[MailKind, Field(strict=False)]
    when: Annotated[MailTiming, Field(strict=False)]


class PreferencesSave(RequestModel):
    """Body of `PUT /api/user/mail-preferences`. Decision: G840."""

    preferences: Annotated[list[Preference], Field(max_length=50)]

    def choices(self, *, is_admin: bool) -> dict[MailKind, MailTiming]:
        """Return the choices; raises `ValidationFailed` for what there is no choice of."""
        allowed = kinds_for(is_admin=is_admin)
        problems = [
            f"preferences[{index}].event: must be one of: {', '.join(allowed)}"
            for index, one in enumerate(self.preferences)
            if one.event not in allowed
        ]
        if problems:
            raise ValidationFailed(problems)
        return {one.event: one.when for one in self.preferences}


def preferences_shape(chosen: Mapping[MailKind, MailTiming]) -> dict[str, object]:
    """Show when somebody is told of what. Decision: G840."""
    return {"preferences": [{"event": kind.value, "when": when.value} for kind, when in chosen.items()]}


def failed_shape(mail: OutgoingMail, subject: str) -> answers.FailedMail:
    """Show a mail that could not be sent; what is in it stays hidden. Decision: G839."""
    shown: answers.FailedMail = {
        "id": mail.id,
        "to": (mail.address if mail.user is None else mail.user.email) or "",
        "subject": subject,
        "attempts": mail.attempts,
        "lastError": mail.last_error or "",
        "createdAt": format_time(mail.created_at),
    }
    if mail.kind in _CHOSEN:
        shown["event"] = mail.kind.value
    return shown
