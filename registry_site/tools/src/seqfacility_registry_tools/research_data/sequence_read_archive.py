"""Size of the Sequence Read Archive: a daily table as comma-separated text, dates as month/day/year."""

import csv
from collections.abc import Sequence
from datetime import date, datetime

from seqfacility_registry_tools.research_data.sources import (
    Get,
    Point,
    Source,
    UnexpectedAnswer,
    whole_number,
)

ADDRESS = "https://www.ncbi.nlm.nih.gov/Traces/sra/sra_stat.cgi"
_COLUMNS = {
    "bases": "sra_bases",
    "open_access_bases": "sra_open_bases",
    "bytes": "sra_bytes",
    "open_access_bytes": "sra_open_bytes",
}


def fetch(get: Get, today: date) -> Sequence[Point]:
    """Take the last day of every finished quarter; the running quarter would change every week."""
    rows = read_table(get(ADDRESS).decode("utf-8", "replace"))
    last_of_quarter = {(day.year, (day.month - 1) // 3): (day, values) for day, values in rows}
    last_of_quarter.pop((today.year, (today.month - 1) // 3), None)
    return [
        Point(metric, day, values[column])
        for day, values in last_of_quarter.values()
        for column, metric in _COLUMNS.items()
    ]


def read_table(text: str) -> list[tuple[date, dict[str, int]]]:
    """Read the rows, oldest first; raises `UnexpectedAnswer` when a column is missing."""
    reader = csv.DictReader(text.splitlines())
    if not set(_COLUMNS) <= set(reader.fieldnames or ()):
        raise UnexpectedAnswer(f"columns are {reader.fieldnames}")
    try:
        rows = [
            (
                datetime.strptime(row["date"], "%m/%d/%Y").date(),  # noqa: DTZ007  # a day, not a moment
                {column: whole_number(row[column]) for column in _COLUMNS},
            )
            for row in reader
        ]
    except (ValueError, TypeError, AttributeError) as error:
        raise UnexpectedAnswer(f"unreadable row: {error}") from error
    return sorted(rows, key=lambda row: row[0])


SOURCE = Source("NCBI Sequence Read Archive", fetch)
