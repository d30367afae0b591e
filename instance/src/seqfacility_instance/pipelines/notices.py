"""What a registry says against a version: withdrawn, or affected by an advisory."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from seqfacility_instance.tables.pipelines import PipelinePackage

YANKED = "yanked"
_MAX_TEXT = 500
_MAX_ADVISORIES = 50
_OPTIONAL = ("published", "url", "fixedIn")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Notices:
    """What is said against one version; `advisories` as answers show them. Decision: G932.

    `other_sha256` is what a signed registry lists under the version instead of what is installed (G923).
    """

    yank_reason: str | None = None
    advisories: tuple[Mapping[str, str], ...] = ()
    other_sha256: str | None = None

    @property
    def warnings(self) -> list[str]:
        """One sentence for each, for whoever starts a run."""
        lines = [] if self.yank_reason is None else [f"This version was withdrawn: {self.yank_reason}"]
        if self.other_sha256 is not None:
            lines.append(other_package(self.other_sha256))
        return lines + [advice_of(advisory) for advisory in self.advisories]

    @property
    def advisory_ids(self) -> list[str]:
        return [advisory["id"] for advisory in self.advisories]


@dataclass(frozen=True, slots=True)
class Publication:
    """How much may be believed of what says something against versions.

    `published` is the date of the index, None for the entry of one pipeline.
    """

    is_signed: bool = False
    published: str | None = None

    @classmethod
    def of(cls, index: Mapping[str, object], *, is_signed: bool) -> "Publication":
        try:
            return cls(is_signed, date.fromisoformat(str(index.get("lastUpdated"))).isoformat())
        except ValueError:
            return cls(is_signed)

    def may_take_back(self, noticed_on: str | None) -> bool:
        """Return whether it may take back what a publication of the day `noticed_on` said.

        Signatures do not go back; an index without them may be older than the one that said it.

        Decision: G925.
        """
        return self.is_signed or (self.published is not None and self.published > (noticed_on or ""))


def kept_notices(row: PipelinePackage) -> Notices:
    """Return what was said last against an installed version."""
    return Notices(row.yank_reason, tuple(row.advisories or ()), row.other_sha256)


def notices_in(entry: Mapping[str, object], row: PipelinePackage, publication: Publication) -> Notices:
    """Return what is known against an installed version once an entry was read.

    A key that a later registry adds is passed over, an advisory that makes no sense as well, and what is too
    long is cut: the words are shown, nothing is done by them. An entry that does not list the version, or is
    not to be believed so far, takes nothing back.

    Decision: G932, G922, G923, G925.
    """
    known, listed = kept_notices(row), _versions(entry).get(row.version)
    advisories = _advisories(entry, row.version)
    reason = None if listed is None else yank_reason_of(listed)
    other = known.other_sha256
    if listed is not None and publication.is_signed and _SHA256.fullmatch(str(listed.get("sha256"))):
        other = None if listed["sha256"] == row.sha256 else str(listed["sha256"])
    if listed is None or not publication.may_take_back(row.noticed_on):
        reason = known.yank_reason if reason is None else reason
        advisories = {advisory["id"]: dict(advisory) for advisory in known.advisories} | advisories
    return Notices(reason, tuple(advisories.values())[:_MAX_ADVISORIES], other)


def yank_reason_of(listed: Mapping[str, object]) -> str | None:
    """Return why a version of an entry was withdrawn; None when it was not. Decision: G930."""
    if listed.get("status") != YANKED:
        return None
    reason = listed.get("yankReason")
    return reason[:_MAX_TEXT] if isinstance(reason, str) and reason else "no reason is given"


def other_package(sha256: str) -> str:
    return f"The registry signs another package under this version, with the SHA-256 {sha256[:12]}…"


def advice_of(advisory: Mapping[str, str]) -> str:
    fixed = advisory.get("fixedIn")
    cure = "" if fixed is None else f" Fixed in {fixed}."
    return f"Advisory {advisory['id']} ({advisory['severity']}): {advisory['summary']}{cure}"


def _versions(entry: Mapping[str, object]) -> dict[str, Mapping[str, object]]:
    rows = entry.get("versions")
    listed = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return {str(row.get("version")): row for row in listed}


def _advisories(entry: Mapping[str, object], version: str) -> dict[str, dict[str, str]]:
    rows, found = entry.get("advisories"), dict[str, dict[str, str]]()
    for row in rows if isinstance(rows, list) else []:
        affects = row.get("affects") if isinstance(row, dict) else None
        if not isinstance(affects, list) or version not in affects:
            continue
        kept = {key: _text(row, key) for key in ("id", "severity", "summary")}
        if all(kept.values()):
            optional = {key: text for key in _OPTIONAL if (text := _text(row, key))}
            if not optional.get("url", "https:").startswith(("https:", "http:")):
                del optional["url"]
            found[kept["id"]] = kept | optional
    return found


def _text(row: Mapping[str, object], key: str) -> str:
    value = row.get(key)
    return value[:_MAX_TEXT] if isinstance(value, str) else ""
