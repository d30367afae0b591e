"""Every table has one owner, and no other slice writes it."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import seqfacility_instance
from seqfacility_instance.tables.all_tables import OWNERS
from seqfacility_instance.tables.base import Entity, Table

SOURCE = Path(seqfacility_instance.__file__).parent
WRITES = frozenset(
    {
        "create", "insert", "insert_many", "insert_from", "replace", "replace_many", "update", "delete",
        "bulk_create", "bulk_update", "get_or_create", "set_by_id", "delete_by_id", "truncate_table",
    }
)  # fmt: skip
OWNER_OF = {table.__name__: owner for owner, owned in OWNERS.items() for table in owned}


def writes_in(source: str) -> Iterator[str]:
    """Name the tables that a module writes, seen by `Table.insert(...)` and the like."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WRITES:
            target = node.func.value
            name = target.id if isinstance(target, ast.Name) else getattr(target, "attr", "")
            if name in OWNER_OF:
                yield name


def test_every_table_has_exactly_one_owner() -> None:
    counted = Counter(table for owned in OWNERS.values() for table in owned)

    assert counted == Counter({*Table.__subclasses__(), *Entity.__subclasses__()} - {Entity})


def test_a_write_is_seen() -> None:
    module = "Order.update(name='x').execute()\ntables.Read.delete()\nSample.select()"

    assert set(writes_in(module)) == {"Order", "Read"}


def test_only_the_owner_of_a_table_writes_it() -> None:
    strangers = [
        f"{module.relative_to(SOURCE)} writes {name}, which belongs to {OWNER_OF[name]}"
        for module in sorted(SOURCE.rglob("*.py"))
        for name in writes_in(module.read_text(encoding="utf-8"))
        if module.relative_to(SOURCE).parts[0] not in {OWNER_OF[name], "migrations"}
    ]

    assert strangers == []
