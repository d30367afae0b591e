"""Show what a new migration has to do: how the tables differ from what the migrations make.

What it prints is a script to begin with. It sees tables, columns and indexes come and go, not a change of a
type, a constraint or a default; the tests do.
"""

import sys
import tempfile
from pathlib import Path

from playhouse.migrations import template
from playhouse.schema_diff import diff_models
from seqfacility_instance import migrations
from seqfacility_instance.tables.all_tables import ALL_TABLES
from seqfacility_instance.tables.base import close_all_connections, initialise, open_database


def main() -> int:
    """Print the difference and a script; say so where there is none."""
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(Path(folder) / "migrated.db")
        initialise(database)
        migrations.apply(database)
        with database.connection_context():
            difference = diff_models(database, ALL_TABLES)
        close_all_connections(database)
    if difference:
        sys.stdout.write(f"# {str(difference).replace(chr(10), chr(10) + '# ')}\n{template(difference)}")
    else:
        sys.stdout.write("The migrations make these tables, columns and indexes.\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
