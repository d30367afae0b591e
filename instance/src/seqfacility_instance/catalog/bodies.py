"""Answers on the catalog."""

from typing import TypedDict

from seqfacility_wire.timestamps import format_optional_time

from seqfacility_instance.catalog.service import Stored, Update


class ChangeShape(TypedDict):
    added: list[str]
    changed: list[str]


class UpdateShape(TypedDict):
    """Gap: G224."""

    success: bool
    hasUpdates: bool
    currentVersion: int
    remoteVersion: int
    newTechnologies: int
    diff: dict[str, ChangeShape]


def config(stored: Stored) -> dict[str, object]:
    """Write the whole configuration. Spec: registry, Catalog configuration. Gap: G223."""
    return {
        "version": stored.catalog.version,
        **stored.catalog.document(),
        "syncUrl": stored.sync_url,
        "lastSyncedAt": format_optional_time(stored.last_synced_at),
    }


def update_shape(update: Update) -> UpdateShape:
    """Write what a sync would do. Gap: G224."""
    return UpdateShape(
        success=True,
        hasUpdates=update.has_updates,
        currentVersion=update.current_version,
        remoteVersion=update.remote_version,
        newTechnologies=update.new_technologies,
        diff={
            collection.value: ChangeShape(added=list(change.added), changed=list(change.changed))
            for collection, change in update.changes.items()
        },
    )
