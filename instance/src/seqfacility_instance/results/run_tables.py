"""The tables among a run's outputs, read once each, before anything is recorded."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from seqfacility_pipeline_package.enums import Destination
from seqfacility_pipeline_package.tables import MAX_TABLE_BYTES, Parser, Row, read_table, row_of_file
from seqfacility_workflow_runtime.regular_file import Unreadable, read_regular

from seqfacility_instance.results.rules.matching import Found


@dataclass(slots=True)
class RunTables:
    """Reads tables below one `output/` folder by the parsers of a package. Decision: G137, G190."""

    output: Path
    parsers: Mapping[str, Parser]
    warnings: list[str] = field(default_factory=list)
    _rows: dict[tuple[str, str], tuple[Row, ...]] = field(default_factory=dict)

    def read(self, found: Iterable[Found]) -> None:
        """Read every table that read metadata or bins will be looked up in."""
        items = tuple(found)
        of_bins = {item.output.parser for item in items if item.output.destination is Destination.BIN}
        for item in items:
            parser_id, destination = item.output.parser, item.output.destination
            is_bin_table = destination is Destination.ARTIFACT and parser_id in of_bins
            if parser_id is not None and (is_bin_table or destination is Destination.READ_METADATA):
                self._rows[parser_id, item.path] = self._read(self.parsers[parser_id], item.path)

    def _read(self, parser: Parser, path: str) -> tuple[Row, ...]:
        content = read_regular(self.output / path, MAX_TABLE_BYTES, follow_links=True)
        if content is None or isinstance(content, Unreadable):
            self.warnings.append(f"{path}: {'is gone' if content is None else content.problem}")
            return ()
        table = read_table(parser, content)
        self.warnings += [f"{path}: {problem}" for problem in table.problems]
        return table.rows

    def first_row(self, item: Found) -> Row | None:
        """Return the first row of a table that speaks of one sample alone."""
        rows = self._rows.get((item.output.parser or "", item.path), ())
        return rows[0] if rows else None

    def row_of_bin(self, item: Found) -> Row | None:
        """Find the row that grades a bin, in whatever table the same parser reads. Decision: G190."""
        name = PurePosixPath(item.path).name
        tables = [rows for (parser_id, _), rows in self._rows.items() if parser_id == item.output.parser]
        return next((row for rows in tables if (row := row_of_file(rows, name)) is not None), None)
