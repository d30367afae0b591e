"""Reading and saving the one row of settings, by compare-and-swap."""

from collections.abc import Mapping
from datetime import datetime
from typing import cast

from seqfacility_instance.core.ids import epoch_milliseconds
from seqfacility_instance.tables.prepared import Prepared, placeholder
from seqfacility_instance.tables.site import SiteSecret, SiteSettings

ROW_ID = "site"

_SECTION_STATES = "sectionStates"
"""Beside the sections: for each one the state of the row that its last save made."""

RowVersion = tuple[int, int]
"""What tells one state of the settings row from every other: its count of saves, and when the last was."""

_VERSION = Prepared(
    lambda: SiteSettings.select(SiteSettings.row_version, SiteSettings.updated_at).where(
        SiteSettings.id == ROW_ID
    )
)
_SECRET = Prepared(
    lambda: SiteSecret.select(SiteSecret.ciphertext).where(SiteSecret.name == placeholder("name"))
)


def find_row() -> SiteSettings | None:
    """Read the settings row; None before `seqfacility init`."""
    return SiteSettings.get_or_none(SiteSettings.id == ROW_ID)


def stored_version() -> RowVersion | None:
    """Read which state the settings row is in; None before `seqfacility init`."""
    row = _VERSION.first()
    return None if row is None else (row[0], row[1])


def version_of(row: SiteSettings) -> RowVersion:
    """Return the state in which a row was read."""
    return row.row_version, epoch_milliseconds(row.updated_at)


def row_exists() -> bool:
    """Return whether there is a settings row, whatever columns it has yet. Decision: G38."""
    return SiteSettings.select(SiteSettings.id).exists()


def stored_section(row: SiteSettings | None, name: str) -> dict[str, object]:
    """Return what is stored of a section, as JSON; `{}` when nothing is."""
    stored = {} if row is None else row.extra_settings.get(name, {})
    return dict(cast("dict[str, object]", stored))


def create_row(modules: dict[str, object], sections: dict[str, object], now: datetime) -> bool:
    """Make the settings row unless there is one; False when there was."""
    made = (
        SiteSettings.insert(
            id=ROW_ID, modules_config=modules, extra_settings=sections, created_at=now, updated_at=now
        )
        .on_conflict_ignore()
        .as_rowcount()
        .execute()
    )
    return bool(made)


def section_state(row: SiteSettings, name: str) -> int:
    """Return the state of the row that the last save of a section made; 0 when it never was.

    Decision: G366.
    """
    return cast("dict[str, int]", stored_section(row, _SECTION_STATES)).get(name, 0)


def claim_section(row: SiteSettings, name: str, section: Mapping[str, object], now: datetime) -> bool:
    """Save a section over the version that `row` was read at; False when somebody else saved meanwhile.

    Decision: G42, G366.
    """
    states = {**stored_section(row, _SECTION_STATES), name: row.row_version + 1}
    sections = {**row.extra_settings, name: dict(section), _SECTION_STATES: states}
    return _claim(row, {"extra_settings": sections}, now)


def claim_sections(row: SiteSettings, sections: dict[str, object], now: datetime) -> bool:
    """Save every section at once over the version that `row` was read at. Decision: G408."""
    return _claim(row, {"extra_settings": sections}, now)


def claim_modules(row: SiteSettings, modules: dict[str, object], now: datetime) -> bool:
    """Save the module map over the version that `row` was read at; False when somebody else was first."""
    return _claim(row, {"modules_config": modules}, now)


def claim_bootstrap(row: SiteSettings, accounts: dict[str, object], now: datetime) -> bool:
    """Note what the seed pass did, over the version that `row` was read at. Decision: G38."""
    return _claim(row, {"bootstrap_accounts": accounts}, now)


def _claim(row: SiteSettings, columns: dict[str, object], now: datetime) -> bool:
    changed: int = (
        SiteSettings.update(**columns, row_version=row.row_version + 1, updated_at=now)
        .where((SiteSettings.id == ROW_ID) & (SiteSettings.row_version == row.row_version))
        .execute()
    )
    return changed == 1


def find_secret(name: str) -> str | None:
    """Read a sealed secret."""
    row = _SECRET.first(name=name)
    return None if row is None else str(row[0])


def save_secret(name: str, ciphertext: str | None, now: datetime) -> None:
    """Store a sealed secret; None removes it."""
    SiteSecret.delete().where(SiteSecret.name == name).execute()
    if ciphertext is not None:
        SiteSecret.insert(name=name, ciphertext=ciphertext, updated_at=now).execute()


def any_secret() -> str | None:
    """Read one of the sealed secrets, whichever; None when there is none."""
    row = SiteSecret.select(SiteSecret.ciphertext).order_by(SiteSecret.name).first()
    return None if row is None else row.ciphertext


def forget_secrets() -> None:
    """Remove every sealed secret. Decision: G408."""
    SiteSecret.delete().execute()
