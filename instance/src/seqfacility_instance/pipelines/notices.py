"""What a registry says against a version: withdrawn, or affected by an advisory."""

from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_instance.tables.pipelines import PipelinePackage

YANKED = "yanked"
_MAX_TEXT = 500
_MAX_ADVISORIES = 50
_OPTIONAL = ("published", "url", "fixedIn")


@dataclass(frozen=True, slots=True)
class Notices:
    """What is said against one version; `advisories` as answers show them. Decision: G932."""

    yank_reason: str | None = None
    advisories: tuple[Mapping[str, str], ...] = ()

    @property
    def warnings(self) -> list[str]:
        """One sentence for each, for whoever starts a run."""
        withdrawn = [] if self.yank_reason is None else [f"This version was withdrawn: {self.yank_reason}"]
        return withdrawn + [advice_of(advisory) for advisory in self.advisories]


def kept_notices(row: PipelinePackage) -> Notices:
    """Return what was said last against an installed version."""
    return Notices(row.yank_reason, tuple(row.advisories or ()))


def said_notices(entry: Mapping[str, object], version: str) -> Notices | None:
    """Read what an entry says against a version; None when the entry does not list it.

    A key that a later registry adds is passed over, an advisory that makes no sense as well, and what is too
    long is cut: the words are shown, nothing is done by them.

    Decision: G932.
    """
    listed = _versions(entry).get(version)
    if listed is None:
        return None
    return Notices(yank_reason_of(listed), tuple(_advisories(entry, version)))


def yank_reason_of(listed: Mapping[str, object]) -> str | None:
    """Return why a version of an entry was withdrawn; None when it was not. Decision: G930."""
    if listed.get("status") != YANKED:
        return None
    reason = listed.get("yankReason")
    return reason[:_MAX_TEXT] if isinstance(reason, str) and reason else "no reason is given"


def advice_of(advisory: Mapping[str, str]) -> str:
    fixed = advisory.get("fixedIn")
    cure = "" if fixed is None else f" Fixed in {fixed}."
    return f"Advisory {advisory['id']} ({advisory['severity']}): {advisory['summary']}{cure}"


def _versions(entry: Mapping[str, object]) -> dict[str, Mapping[str, object]]:
    rows = entry.get("versions")
    listed = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return {str(row.get("version")): row for row in listed}


def _advisories(entry: Mapping[str, object], version: str) -> list[dict[str, str]]:
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
    return list(found.values())[:_MAX_ADVISORIES]


def _text(row: Mapping[str, object], key: str) -> str:
    value = row.get(key)
    return value[:_MAX_TEXT] if isinstance(value, str) else ""
