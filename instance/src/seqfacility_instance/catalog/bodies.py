"""Answers on the catalog."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from seqfacility_schemas.findings import Finding
from seqfacility_wire.timestamps import format_optional_time

from seqfacility_instance.catalog.comparison import ItemChange
from seqfacility_instance.catalog.rules import CollectionChange
from seqfacility_instance.catalog.service import Stored, Update
from seqfacility_instance.catalog.standing import ItemStanding
from seqfacility_instance.core import limits
from seqfacility_instance.core.vocabulary.catalog import CatalogCollection

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def config(stored: Stored) -> dict[str, object]:
    """Write the whole configuration. Spec: registry, Catalog configuration. Decision: G223."""
    return {
        "version": stored.catalog.version,
        **stored.catalog.document(),
        "syncUrl": stored.sync_url,
        "lastSyncedAt": format_optional_time(stored.last_synced_at),
    }


def administration(
    stored: Stored,
    standings: Mapping[CatalogCollection, Sequence[ItemStanding]],
    sync_url: str,
    *,
    is_stale: bool,
) -> dict[str, object]:
    """Write the configuration for admins, with the origin of each item. Decision: G223, G1047."""
    return {
        "config": config(stored),
        "standings": {
            collection.value: [_standing(one) for one in items] for collection, items in standings.items()
        },
        "stored": stored.is_stored,
        "stale": is_stale,
        "effectiveSyncUrl": sync_url,
    }


def _standing(one: ItemStanding) -> dict[str, object]:
    return {
        "id": one.item_id,
        "origin": one.origin and one.origin.value,
        "selectable": one.is_selectable,
        "offered": one.offered,
        "image": one.image and one.image.shape(),
    }


def update_shape(update: Update) -> answers.CatalogUpdate:
    """Write what a sync would do. Decision: G224."""
    return {
        "success": True,
        "hasUpdates": update.has_updates,
        "currentVersion": update.current_version,
        "remoteVersion": update.remote_version,
        "newTechnologies": update.new_technologies,
        "diff": {
            collection.value: _change(change, is_older=update.remote_version < update.current_version)
            for collection, change in update.changes.items()
        },
        "changes": [_item_change(change) for change in update.item_changes],
        "skipped": _findings(update.remote.skipped),
        "warnings": _findings(update.remote.warnings),
    }


def _findings(found: Sequence[Finding]) -> list[answers.Finding]:
    return [
        {"collection": one.collection, "id": one.item_id, "reason": one.reason_with_key}
        for one in found[: limits.FINDINGS_SHOWN]
    ]


def _item_change(change: ItemChange) -> answers.CatalogItemChange:
    return {
        "collection": change.collection.value,
        "id": change.item_id,
        "name": change.name,
        "kind": change.kind.value,
        "fields": [
            {"key": one.key, "before": one.before, "after": one.after, "kept": one.is_kept}
            for one in change.fields
        ],
    }


def _change(change: CollectionChange, *, is_older: bool) -> answers.CollectionChange:
    shape: answers.CollectionChange = {"added": list(change.added), "changed": list(change.changed)}
    return {**shape, "kept": list(change.kept)} if is_older else shape
