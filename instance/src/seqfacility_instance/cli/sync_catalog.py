"""Bring the catalog of sequencing technologies up to date from a registry, or go back to the shipped one."""

import argparse
import sys
from typing import TYPE_CHECKING

from seqfacility_instance.cli.installation import open_installation

if TYPE_CHECKING:
    from seqfacility_instance.catalog.service import Catalogs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--url", metavar="URL", help="sync from here and not from the address in force")
    source.add_argument("--shipped", action="store_true", help="replace it by the one of this release")
    parser.add_argument("--dry-run", action="store_true", help="say what would change, store nothing")


def run(arguments: argparse.Namespace) -> int:
    """Sync or reset, and print the result in one line a fact. Decision: G224, G262."""
    from seqfacility_instance.catalog.rules import optional_sync_url

    with open_installation() as services:
        if arguments.shipped:
            lines = _reset(services.catalogs, is_dry_run=arguments.dry_run)
        else:
            url = optional_sync_url(arguments.url)
            lines = _sync(services.catalogs, url, is_dry_run=arguments.dry_run)
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return 0


def _sync(catalogs: "Catalogs", url: str | None, *, is_dry_run: bool) -> list[str]:
    update = catalogs.check(url) if is_dry_run else catalogs.apply(None, url)
    lines = [
        f"source: {catalogs.effective_sync_url(update.stored, url)}",
        f"version: {update.current_version} -> {update.remote_version}",
    ]
    lines += [f"warning: {one.reason}" for one in update.remote.warnings if one.collection == "registry"]
    if not update.has_updates:
        return [*lines, "result: nothing to update"]
    skipped = [
        f"skipped: {one.collection}.{one.item_id}: {one.reason_with_key}"
        for one in update.remote.skipped[:20]
    ]
    return [
        *lines,
        *[
            f"{collection.value}: {len(change.added)} added, {len(change.changed)} changed"
            for collection, change in update.changes.items()
        ],
        *skipped,
        "result: " + ("stored" if update.applied else "nothing stored"),
    ]


def _reset(catalogs: "Catalogs", *, is_dry_run: bool) -> list[str]:
    from seqfacility_instance.catalog.shipped import shipped_catalog

    shipped = shipped_catalog()
    if not is_dry_run:
        catalogs.reset(None)
    counts = [f"{name.value}: {len(items)}" for name, items in shipped.collections.items()]
    result = "result: " + ("nothing stored" if is_dry_run else "stored")
    return ["source: shipped", f"version: {shipped.version}", *counts, result]
