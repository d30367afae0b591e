"""What an applicant, an e-mail, a password, an invite code and a domain must be."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.people import ResearcherRole, Role

_EMAIL = re.compile(r"[^@\s\x00-\x1f]{1,64}@[^@\s\x00-\x1f]{1,190}")
_NOBODYS = "@invalid"
"""RFC 2606 keeps this domain from ever being somebody's."""

CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Digits and letters without those that are misread for others: five bits a character."""

CODE_GROUPS = 4
CODE_GROUP_CHARACTERS = 5
CODE_ENDING_CHARACTERS = 4
"""What a list of invites shows; the sixteen characters before it keep 80 bits."""


@dataclass(frozen=True, slots=True)
class Applicant:
    """Who asks for an account; the e-mail is normalized."""

    email: str
    password: str
    first_name: str
    last_name: str
    role: Role
    researcher_role: ResearcherRole | None
    institution: str | None
    department_id: str | None
    invite_code: str | None


def normalized_email(text: str) -> str:
    """Return an e-mail as it is compared and stored. Decision: G21."""
    return text.strip().lower()


def is_email(text: str) -> bool:
    """Return whether a text has the form of an e-mail address that somebody may have. Decision: G876."""
    is_possible = _EMAIL.fullmatch(text) is not None and not text.endswith(_NOBODYS)
    return is_possible and len(text) <= limits.SINGLE_LINE_MAX_CHARACTERS


def erased_email(user_id: str) -> str:
    """Return what an erased account has in the place of an e-mail. Decision: G876."""
    return f"erased-{user_id}{_NOBODYS}"


def is_erased(email: str) -> bool:
    """Return whether this stands in the place of an e-mail. Decision: G876."""
    return email.endswith(_NOBODYS)


def password_problems(password: str, email: str, site_name: str, key: str = "password") -> list[str]:
    """List what keeps a new password, sent as `key`, from being one; `[]` when nothing does.

    Only the very words that everybody tries first are refused, not what contains them: a rule on patterns
    would refuse good passphrases.

    Decision: G28.
    """
    problems = []
    if len(password) < limits.PASSWORD_MIN_CHARACTERS:
        problems.append(f"{key}: must have at least {limits.PASSWORD_MIN_CHARACTERS} characters")
    if len(password) > limits.PASSWORD_MAX_CHARACTERS:
        problems.append(f"{key}: must have at most {limits.PASSWORD_MAX_CHARACTERS} characters")
    email, word = normalized_email(email), password.strip().casefold()
    if word == email:
        problems.append(f"{key}: must not be the e-mail address")
    if word in {*email.split("@"), site_name.strip().casefold()}:
        problems.append(f"{key}: must not be a part of the e-mail address or the name of this site")
    if word in _common_passwords():
        problems.append(f"{key}: must not be one of the commonest passwords")
    return problems


@cache
def _common_passwords() -> frozenset[str]:
    listed = files("seqfacility_instance.accounts").joinpath("common_passwords.txt").read_text("utf-8")
    return frozenset(line for line in listed.splitlines() if not line.startswith("#"))


def normalized_code(text: str) -> str:
    """Return an invite code as it is compared: without case, spaces and hyphens. Decision: G31."""
    return re.sub(r"[\s-]", "", text).upper()


def grouped_code(code: str) -> str:
    """Write a code in groups that can be read aloud. Decision: G31."""
    size = CODE_GROUP_CHARACTERS
    return "-".join(code[start : start + size] for start in range(0, len(code), size))


def is_domain_allowed(email: str, domains: Collection[str]) -> bool:
    """Return whether an e-mail belongs to one of `domains`; an empty list allows all. Decision: G30."""
    allowed = {domain.strip().lower().removeprefix("@") for domain in domains}
    return not allowed or email.rpartition("@")[2] in allowed
