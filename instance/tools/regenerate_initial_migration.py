"""Write `migrations/0001_initial.sql` anew from the tables.

Until the first release there is one migration, and it says what the tables say. From then on it is history
and is never written again; every change of a table gets a numbered script of its own.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from seqfacility_instance import migrations
from seqfacility_instance.tables import ALL_TABLES, Table, initialise, open_database

TARGET = Path(migrations.__file__).with_name("0001_initial.sql")
HEAD = "-- Every table of the first release. PostgreSQL's names of types; 0001_initial.py says SQLite's.\n"
_CREATE = re.compile(r'CREATE TABLE "(?P<name>\w+)" \((?P<body>.*)\)', re.DOTALL)


def main() -> int:
    """Write the file and say whether anything changed; 1 once a release has made it history."""
    if migrations.head() != "0001_initial":
        sys.stderr.write("error: there are later migrations; the first one is history\n")
        return 1
    # PostgreSQL's dialect is asked for the statements; nothing is connected.
    initialise(open_database("postgresql:///none"))
    text = HEAD + "".join("\n" + "\n".join(statements_of(table)) + "\n" for table in ALL_TABLES)
    is_changed = text != TARGET.read_text("utf-8")
    TARGET.write_text(text, "utf-8")
    sys.stdout.write(f"{TARGET.name}: {'changed' if is_changed else 'as it was'}\n")
    return 0


def statements_of(table: type[Table]) -> Iterator[str]:
    """Give the statements that make a table and its indexes, one column a line."""
    # WHY: Peewee has no other way to ask for statements without running them.
    schema = table._schema  # type: ignore[attr-defined]  # noqa: SLF001  # Peewee makes it with the class
    statement, _parameters = schema._create_table(safe=False).query()  # noqa: SLF001  # the same
    found = _CREATE.fullmatch(statement)
    assert found is not None, statement
    columns = ",\n    ".join(parts_of(found["body"]))
    yield f'CREATE TABLE "{found["name"]}" (\n    {columns}\n);'
    for index in schema._create_indexes(safe=False):  # noqa: SLF001  # the same
        statement, parameters = index.query()
        assert not parameters, "an index with parameters cannot be written as text"
        yield statement.replace(" ON ", "\n    ON ", 1) + ";"


def parts_of(body: str) -> list[str]:
    """Split the body of a CREATE TABLE at its outer commas."""
    parts, depth, current = [], 0, ""
    for character in body:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    return [*parts, current.strip()]


if __name__ == "__main__":
    raise SystemExit(main())
