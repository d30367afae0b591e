"""Write to a database from many threads of one process: `--address A --name N --threads T --transactions C`.

Each transaction adds two rows and raises a counter that every process raises; each third one is followed by a
single write outside a transaction. What was committed is printed as one JSON object, so that a test can tell
what is lost or half.
"""

import argparse
import json
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from peewee import Database, PeeweeException
from seqfacility_instance.tables.base import open_database

_TABLES = (
    "CREATE TABLE contested_rows (writer text, number integer, part integer)",
    "CREATE TABLE contested_counters (id integer PRIMARY KEY, transactions integer, single integer)",
)
_ADD_COUNTER = "INSERT INTO contested_counters VALUES (?, 0, 0)"
_ADD_ROW = "INSERT INTO contested_rows VALUES (?, ?, ?)"
_COUNT_TRANSACTION = "UPDATE contested_counters SET transactions = transactions + 1 WHERE id = ?"
_COUNT_SINGLE = "UPDATE contested_counters SET single = single + 1 WHERE id = ?"


@dataclass
class Writer:
    """One thread and what came of its writes."""

    name: str
    counter: int
    committed: int = 0
    single: int = 0
    longest_seconds: float = 0.0
    failures: list[str] = field(default_factory=list)

    def write(self, database: Database, transactions: int) -> None:
        """Write that many transactions; one that fails is told and not repeated."""
        statements = (_ADD_ROW, _COUNT_TRANSACTION, _COUNT_SINGLE)
        add_row, count_transaction, count_single = (each.replace("?", database.param) for each in statements)
        with database.connection_context():
            for number in range(transactions):
                began = time.monotonic()
                try:
                    with database.atomic():
                        database.execute_sql(add_row, (self.name, number, 1))
                        database.execute_sql(count_transaction, (self.counter,))
                        database.execute_sql(add_row, (self.name, number, 2))
                    self.committed += 1
                    if number % 3 == 0:
                        database.execute_sql(count_single, (self.counter,))
                        self.single += 1
                except PeeweeException as failed:
                    self.failures.append(f"{type(failed).__name__}: {failed}")
                self.longest_seconds = max(self.longest_seconds, time.monotonic() - began)


@dataclass(frozen=True, slots=True)
class Stored:
    """What the database holds in the end."""

    whole: int
    half: int
    transactions: int
    single: int


def make_tables(database: Database, counters: int) -> None:
    """Add the tables that are written to; they are none of a facility's own."""
    with database.connection_context(), database.atomic():
        for statement in _TABLES:
            database.execute_sql(statement)
        for number in range(counters):
            database.execute_sql(_ADD_COUNTER.replace("?", database.param), (number,))


def stored(database: Database) -> Stored:
    """Count transactions that left both rows, and those that left one."""
    parts = "SELECT count(*) AS parts FROM contested_rows GROUP BY writer, number"
    counted = f"SELECT count(*) FROM ({parts}) AS written WHERE parts"  # noqa: S608  # no value in it
    with database.connection_context():
        whole = database.execute_sql(f"{counted} = 2").fetchone()[0]
        half = database.execute_sql(f"{counted} <> 2").fetchone()[0]
        sums = "SELECT sum(transactions), sum(single) FROM contested_counters"
        transactions, single = database.execute_sql(sums).fetchone()
    return Stored(whole, half, transactions, single)


def main() -> None:
    parser = argparse.ArgumentParser()
    for option in ("--address", "--name"):
        parser.add_argument(option, required=True)
    for option in ("--threads", "--transactions"):
        parser.add_argument(option, required=True, type=int)
    wanted = parser.parse_args()
    address = wanted.address if "://" in wanted.address else Path(wanted.address)
    database = open_database(address)
    writers = [Writer(f"{wanted.name}-{number}", number) for number in range(wanted.threads)]
    each = wanted.transactions // wanted.threads
    threads = [threading.Thread(target=writer.write, args=(database, each)) for writer in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts = {
        "committed": sum(writer.committed for writer in writers),
        "single": sum(writer.single for writer in writers),
        "longest_seconds": max(writer.longest_seconds for writer in writers),
        "failures": [failure for writer in writers for failure in writer.failures],
    }
    print(json.dumps(counts), flush=True)


if __name__ == "__main__":
    main()
