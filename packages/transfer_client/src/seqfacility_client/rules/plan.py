"""The facility's plan of an upload as the command acts on it: sent, left out, failed, or nothing at all."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

ITS_OWN_TROUBLE = frozenset({"empty", "too-large", "name"})
"""Such a file fails; the others are clear without it, and sent."""
WANTED_WHEN_NAMED = frozenset({"extension", "hidden"})
"""Passed over below a folder, but a file that was named is meant."""
SAID_OF_SEVERAL = frozenset({"several-files", "lanes", "unequal-lanes", "too-large"})


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of the order: database id, code, and what the researcher calls it."""

    id: str
    code: str
    alias: str | None


@dataclass(frozen=True, slots=True)
class Continued:
    """The session to go on with; `is_receiving`: somebody was sending to it just then. Decision: G638."""

    upload_id: str
    received: int
    is_receiving: bool


@dataclass(frozen=True, slots=True)
class Filed:
    """A file in use at the facility; its MD5 is None until the facility has computed it."""

    upload_id: str
    final_path: str
    md5: str | None = None


@dataclass(frozen=True, slots=True)
class Superseded:
    """A read that a file takes out of use, in words; a delivered one leaves the published delivery."""

    text: str
    is_delivered: bool


@dataclass(frozen=True, slots=True)
class Placed:
    """What is sent as one file to one place, and what is there of it; of lanes that are joined all paths.

    `filed` has the same bytes, as far as can be believed without hashing; of `same_name` only hashing tells.

    Decision: G424, G635.
    """

    paths: tuple[Path, ...]
    sample: Sample | None
    role: str
    name: str
    size: int
    fingerprint: str | None = None
    md5: str | None = None
    continues: Continued | None = None
    filed: Filed | None = None
    same_name: tuple[Filed, ...] = ()
    supersedes: Superseded | None = None

    @property
    def path(self) -> Path:
        return self.paths[0]

    @property
    def shown(self) -> str:
        """The path for people; joined lanes are all named."""
        return "+".join([str(self.path), *(path.name for path in self.paths[1:])])


@dataclass(frozen=True, slots=True)
class Unsent:
    """A file that is not sent, rightly or because it cannot be."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the facility says of one file; `upload` is the number of what it is sent in. Decision: G635."""

    path: Path
    kind: str
    code: str | None
    reason: str
    upload: int | None


@dataclass(frozen=True, slots=True)
class Plan:
    """What becomes of the files, in their order; with a problem nothing is sent."""

    placed: tuple[Placed, ...]
    left_out: tuple[Unsent, ...]
    failed: tuple[Unsent, ...]
    problems: tuple[str, ...]


def plan_of(verdicts: Sequence[Verdict], uploads: Sequence[Placed], named: Collection[Path]) -> Plan:
    """Sort what the facility says; `named` are the files that were given themselves, not by their folder.

    Decision: G320, G760.
    """
    numbers: dict[int, None] = {}
    left_out, failed = [], []
    problems: dict[str, None] = {}
    for one in verdicts:
        if one.upload is not None:
            numbers[one.upload] = None
        elif one.kind == "left-out" and not (one.code in WANTED_WHEN_NAMED and one.path in named):
            left_out.append(Unsent(one.path, _lowered(one.reason)))
        elif one.code in ITS_OWN_TROUBLE:
            failed.append(Unsent(one.path, _sentence(one)))
        else:
            problems[_sentence(one)] = None
    return Plan(tuple(uploads[number] for number in numbers), tuple(left_out), tuple(failed), tuple(problems))


def _sentence(one: Verdict) -> str:
    """Say what the facility says of a file in a sentence that stands alone."""
    if one.code == "lanes":
        return f"{one.reason}; --join-lanes sends them as one file"
    if one.code in SAID_OF_SEVERAL:
        return one.reason
    if one.code == "choice":
        return _lowered(one.reason)
    return f"{one.path} {'is a ' if one.code == 'hidden' else ''}{_lowered(one.reason)}"


def _lowered(reason: str) -> str:
    return reason[:1].lower() + reason[1:]
