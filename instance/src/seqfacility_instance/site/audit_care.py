"""What the worker does for the audit trail: verify it piece by piece, note its head elsewhere, prune it."""

import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from seqfacility_wire.timestamps import format_time

from seqfacility_instance.access import audit_chain
from seqfacility_instance.access.audit_chain import Head
from seqfacility_instance.access.audit_heads import UnusableHeads, append_head, head_line, send_head
from seqfacility_instance.access.audit_verification import find_check, save_check, verify
from seqfacility_instance.core.seen_keys import SeenKeys
from seqfacility_instance.facility_settings.service import FacilitySettings

_log = logging.getLogger("seqfacility.audit")

VERIFIED_AT_ONCE: Final = 2000
"""Rows of one step of the worker, and of one request: about 30 ms."""

ROUND_EVERY: Final = timedelta(hours=1)
HEAD_EVERY: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ChainReport:
    """What is known of the chain: `verified_at` is when the last whole round had ended."""

    rows: int
    head: Head | None
    first_broken: str | None
    verified_at: datetime | None


@dataclass(slots=True)
class AuditCare:
    """Looks after the audit trail; each step is short. Decision: G864, G865, G866."""

    facility: FacilitySettings
    _next_round: datetime | None = field(default=None, init=False)
    _verified: Head | None = field(default=None, init=False)
    _noted: dict[str, Head] = field(default_factory=dict, init=False)
    _notes: SeenKeys = field(default_factory=lambda: SeenKeys(HEAD_EVERY), init=False)

    def report(self) -> ChainReport:
        """Say how the chain is: the newest rows as they are now, the others as the worker found them.

        Decision: G864.
        """
        head, first = audit_chain.find_head(), audit_chain.find_first()
        check = find_check()
        rows = 0 if head is None or first is None else head.sequence - first.sequence + 1
        after = None if head is None else audit_chain.find_row(head.sequence - VERIFIED_AT_ONCE)
        found = verify(after, VERIFIED_AT_ONCE).first_broken
        broken = (None if check is None else check.first_broken) or found
        return ChainReport(rows, head, broken, None if check is None else check.completed_at)

    def prune(self, now: datetime) -> bool:
        """Remove what is older than the settings say; True when there was something. Decision: G863."""
        days = self.facility.audit().keep_days
        return days is not None and audit_chain.prune(timedelta(days=days), now) > 0

    def note_head(self, now: datetime) -> bool:
        """Note a head that is new where the settings say, once a minute; what fails is tried again.

        Decision: G865.
        """
        if not self._notes.first_seen("head", now):
            return False
        section, head = self.facility.audit(), audit_chain.find_head()
        for place in (section.head_file, section.syslog):
            if head is None or place is None or self._noted.get(place) == head:
                continue
            line = head_line(head, format_time(now))
            try:
                if place.startswith("/"):
                    append_head(Path(place), line)
                else:
                    send_head(place, line)
            except (OSError, UnusableHeads) as failed:
                _log.error("the head of the audit trail cannot be noted at %s: %s", place, failed)  # one line
            else:
                self._noted[place] = head
        return False

    def verify_some(self, now: datetime) -> bool:
        """Verify the next rows of a round, which begins once an hour; True while there are more.

        Decision: G864.
        """
        if self._next_round is not None and now < self._next_round:
            return False
        verdict = verify(self._verified, VERIFIED_AT_ONCE)
        if verdict.is_intact and verdict.rows == VERIFIED_AT_ONCE:
            self._verified = verdict.head
            return True
        self._verified, self._next_round = None, now + ROUND_EVERY
        save_check(verdict, now)
        if not verdict.is_intact:
            _log.error("the audit trail is broken: %s", verdict.finding)
        return False
