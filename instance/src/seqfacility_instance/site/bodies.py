"""Requests and answers around the installation."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time

from falcon import ETag
from seqfacility_wire.errors import ValidationFailed
from seqfacility_wire.timestamps import format_optional_time, format_time, parse_date

from seqfacility_instance.access.person import person
from seqfacility_instance.core.audit_digests import merged
from seqfacility_instance.core.vocabulary.site import ModuleId
from seqfacility_instance.facility_settings.sections import AccessSection
from seqfacility_instance.site.audit_care import ChainReport
from seqfacility_instance.site.findings import Finding
from seqfacility_instance.site.health import FolderState, HealthReport, Heartbeat
from seqfacility_instance.site.service import Site
from seqfacility_instance.site.setup_status import (
    Seen,
    database_answer,
    error_of,
    next_action,
    phase_of,
    steps_of,
)
from seqfacility_instance.site.store import AuditFilter
from seqfacility_instance.tables.people import AuditEvent
from seqfacility_instance.version import RELEASE

_STATE = re.compile("[0-9]{1,18}")


def seen_state(tags: Sequence[ETag | str] | None) -> int | None:
    """Read the state that a caller saw from its `If-Match`, where tags are numbers; None when any will do.

    A tag that the service never sent stands for a state before all others.

    Decision: G366.
    """
    if tags is None or "*" in tags:
        return None
    return max((int(tag) for tag in tags if _STATE.fullmatch(tag)), default=-1)


def seen_tags(tags: Sequence[ETag | str] | None) -> frozenset[str] | None:
    """Read the entity tags of `If-Match`; None when any state will do. Decision: G1024, G1094."""
    return None if tags is None or "*" in tags else frozenset(str(tag) for tag in tags)


def setup_status_answer(site: Site, seen: Seen) -> dict[str, object]:
    """Write the set-up status. Spec: instance, Instance metadata. Decision: G38."""
    phase = phase_of(seen)
    is_readable = seen.settings_exist and not seen.pending_migrations
    answer: dict[str, object] = {
        "exists": seen.schema_exists,
        "configured": seen.settings_exist,
        "phase": phase.value,
        "steps": steps_of(phase),
        "nextAction": next_action(phase),
        "database": database_answer(site.engine, site.hosting, seen),
        "install": {
            "mode": "self-hosted",
            "profile": site.applied_profile() if is_readable else None,
            "usesDefaultBootstrapCredentials": is_readable and site.uses_default_credentials(),
        },
    }
    accounts = site.bootstrap_accounts() if is_readable else None
    if accounts is not None:
        answer["bootstrapAccounts"] = accounts
    error = error_of(phase)
    if error is not None:
        answer["error"] = error
    return answer


def module_changes(body: Mapping[str, object]) -> tuple[dict[ModuleId, bool], bool | None]:
    """Read the body of the module switch; raises `ValidationFailed`. Decision: G39."""
    modules = body.get("modules")
    switch = body.get("globalDisabled")
    problems = []
    changes: dict[ModuleId, bool] = {}
    if modules is not None and not isinstance(modules, dict):
        problems.append("modules: must be an object")
    for name, is_on in (modules if isinstance(modules, dict) else {}).items():
        if name not in set(ModuleId):
            problems.append(f"modules.{name}: is not a known module")
        elif not isinstance(is_on, bool):
            problems.append(f"modules.{name}: must be true or false")
        else:
            changes[ModuleId(name)] = is_on
    if switch is not None and not isinstance(switch, bool):
        problems.append("globalDisabled: must be true or false")
    if problems:
        raise ValidationFailed(problems)
    return changes, switch if isinstance(switch, bool) else None


def site_facts(access: AccessSection, *, is_demo: bool) -> dict[str, object]:
    """Write what everybody may know of the site. Decision: G48."""
    return {
        "siteName": access.site_name,
        "contactEmail": access.contact_email,
        "registrationOpen": access.allow_registration,
        "demo": is_demo,
        "postSubmissionInstructions": access.post_submission_instructions,
    }


def health_answer(report: HealthReport) -> dict[str, object]:
    """Write the health of the installation. Decision: G49."""
    folders = report.folders
    return {
        "version": RELEASE,
        "database": {"engine": report.engine.value, "sizeBytes": report.database_bytes},
        "storage": {**_folder(folders.storage), "freeBytes": folders.storage.free_bytes()},
        "runDirectory": _folder(folders.runs),
        "streamRoot": _folder(folders.streams),
        "engines": {
            engine.value: {
                "found": seen.is_found,
                "version": seen.version,
                "checkedAt": format_optional_time(seen.checked_at),
            }
            for engine, seen in report.engines.items()
        },
        **{name: {"found": is_found} for name, is_found in report.schedulers.items()},
        "processes": [_heartbeat(heartbeat) for heartbeat in report.heartbeats],
        "uploads": {"open": report.open_uploads, "stale": report.stale_uploads},
        "background": {"waiting": report.waiting_jobs, "failed": report.failed_jobs},
        "registry": {
            "address": report.registry.address,
            "pollsDaily": report.registry.polls_daily,
            "polledAt": format_optional_time(report.registry.polled_at),
            "error": report.registry.error,
            "warnings": report.registry.warnings,
            "notices": [
                {
                    "pipelineId": notice.pipeline_id,
                    "version": notice.version,
                    "warnings": notice.warnings,
                    "action": notice.action,
                }
                for notice in report.registry.notices
            ],
        },
        "refusedFolders": report.refused_folders,
        "findings": [_finding(finding) for finding in report.findings],
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "about": finding.about,
        "label": finding.label,
        "severity": finding.severity.value,
        "state": finding.state,
        "advice": finding.advice,
        "at": format_optional_time(finding.at),
        "page": finding.page,
    }


def _folder(folder: FolderState) -> dict[str, object]:
    """Describe a folder without naming it."""
    return {
        "configured": folder.path is not None,
        "exists": folder.is_there(),
        "writable": folder.is_writable(),
    }


def _heartbeat(heartbeat: Heartbeat) -> dict[str, object]:
    return {
        "name": heartbeat.name.value,
        "lastHeartbeatAt": format_optional_time(heartbeat.last_at),
        "alive": heartbeat.is_alive,
    }


def audit_filter(
    action: str | None, object_id: str | None, actor_id: str | None, first: str | None, last: str | None
) -> AuditFilter:
    """Read which rows of the audit trail are wanted, the days inclusive; raises `ValidationFailed`."""
    problems: list[str] = []
    since, until = _at("from", first, time(), problems), _at("to", last, time.max, problems)
    if problems:
        raise ValidationFailed(problems)
    return AuditFilter(action, object_id, actor_id, since, until)


def _at(name: str, day: str | None, moment: time, problems: list[str]) -> datetime | None:
    if day is None:
        return None
    try:
        return datetime.combine(parse_date(day), moment, UTC)
    except ValueError as wrong:
        problems.append(f"{name}: {wrong}")
        return None


def audit_chain(report: ChainReport) -> dict[str, object]:
    """Write how the chain of the audit trail is. Decision: G864."""
    return {
        "intact": report.first_broken is None,
        "rows": report.rows,
        "firstBroken": report.first_broken,
        "head": None if report.head is None else report.head.hash,
        "verifiedAt": format_optional_time(report.verified_at),
    }


def audit_event(event: AuditEvent) -> dict[str, object]:
    """Write one row of the audit trail. Decision: G22."""
    return {
        "id": event.id,
        "at": format_time(event.at),
        "actor": None if event.actor is None else person(event.actor),
        "action": event.action,
        "objectType": event.object_type,
        "objectId": event.object_id,
        "detail": merged(event.detail, event.personal),
        "address": event.address,
    }
