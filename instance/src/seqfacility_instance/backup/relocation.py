"""Letting settings and rows that name an old folder name the new one."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from peewee import Database

from seqfacility_instance.backup.engines import is_sqlite

_COLUMNS: Final = (
    ("pipeline_packages", "folder"),
    ("pipeline_runs", "run_folder"),
    ("stream_runs", "output_dir"),
    ("sequencing_runs", "folder_path"),
    ("assemblies", "assembly_file"),
    ("bins", "bin_file"),
    ("pipeline_artifacts", "path"),
    ("pipeline_artifacts", "file1"),
    ("pipeline_artifacts", "file2"),
)
_SETTINGS: Final = (
    ("storage", "dataBasePath"),
    ("streamIngest", "outputRoot"),
    ("execution", "runDirectory"),
    ("execution", "databaseDirectory"),
)

Moves = Sequence[tuple[str, str]]
"""Old and new folders; of several that hold a path the first counts."""


def moved_sections(sections: Mapping[str, object], moves: Moves) -> dict[str, object]:
    """Return the sections of settings with their folders where they are now."""
    after: dict[str, object] = json.loads(json.dumps(sections))
    for name, key in _SETTINGS:
        section = after.get(name)
        path = section.get(key) if isinstance(section, dict) else None
        if isinstance(section, dict) and isinstance(path, str):
            section[key] = _moved(path, moves)
    return after


def move_rows(database: Database, moves: Moves) -> None:
    """Rewrite the paths in all rows to where folders and files are now; runs in the caller's transaction."""
    if not moves:
        return
    placeholder, ignoring = database.param, "OR IGNORE " if is_sqlite(database) else ""
    for table, column in _COLUMNS:
        is_in = f"({column} = {placeholder} OR substr({column}, 1, {placeholder}) = {placeholder})"
        cases = "".join(f" WHEN {is_in} THEN {placeholder} || substr({column}, {placeholder})" for _ in moves)
        matches = [(old, len(old) + 1, f"{old}/") for old, _new in moves]
        values = [
            value
            for match, (old, new) in zip(matches, moves, strict=True)
            for value in (*match, new, len(old) + 1)
        ]
        where = " OR ".join([is_in] * len(moves))
        # WHY: one statement for all moves: one after another, a moved path could be moved again.
        database.execute_sql(
            f"UPDATE {ignoring}{table} SET {column} = CASE{cases} END WHERE {where}",  # noqa: S608  # names of ours
            (*values, *(value for match in matches for value in match)),
        )


def _moved(path: str, moves: Moves) -> str:
    for old, new in moves:
        if path == old or path.startswith(f"{old}/"):
            return new + path[len(old) :]
    return path
