"""Which installed versions registries said something against, and what to do about each."""

from seqfacility_instance.pipelines import store
from seqfacility_instance.pipelines.notices import kept_notices
from seqfacility_instance.site.checks import Check, Verdict
from seqfacility_instance.site.health import VersionNotice

_USED = "New runs use it: make another version current, or disable the pipeline."
_UNUSED = "No new run uses it; the list of runs shows those that did."


def installed_notices() -> list[VersionNotice]:
    """List what is known against installed versions; nothing is fetched for it. Decision: G924."""
    enabled = {name for name, config in store.configs().items() if config.enabled}
    found = []
    for row in store.list_installed():
        warnings = kept_notices(row).warnings
        if warnings:
            is_used = row.is_current and row.pipeline_id in enabled
            action = _USED if is_used else _UNUSED
            found.append(VersionNotice(row.pipeline_id, row.version, warnings, action))
    return found


def notice_checks() -> list[Check]:
    """Warn of each such version. Decision: G924, G485."""
    return [
        Check(
            Verdict.WARN,
            f"Pipeline {notice.pipeline_id} {notice.version}: {' '.join(map(_sentence, notice.warnings))} "
            f"{notice.action}",
        )
        for notice in installed_notices()
    ]


def _sentence(text: str) -> str:
    return text if text.endswith((".", "…")) else f"{text}."
