"""Verify the audit trail, or write it out.

`verify` exits with 1 and names the first row that was changed, deleted, inserted or moved. Rows that were cut
off at the end show only against a head that was kept elsewhere: in a backup, a file of heads or a syslog.
"""

import argparse
import json
import sys
from datetime import datetime
from pathlib import Path

from seqfacility_wire.command_line.refusal import Refused
from seqfacility_wire.plurals import counted
from seqfacility_wire.timestamps import parse_date, parse_time

from seqfacility_instance.cli.installation import open_installation

EXAMPLES = """\
examples:
  seqfacility audit verify
  seqfacility audit verify --head /backups/2031-05-04/backup.json
  seqfacility audit export --format jsonl --from 2031-01-01 --to 2032-01-01 > 2031.jsonl
  seqfacility audit export --format csv > audit.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION", title="actions")
    verify = actions.add_parser("verify", help="say whether every row is what was written, and in its place")
    verify.add_argument(
        "--head",
        type=Path,
        metavar="FILE",
        help="hold the trail against the heads in it: a backup's backup.json, a file of heads, saved syslog",
    )
    export = actions.add_parser("export", help="write rows to standard output, oldest first")
    export.add_argument("--format", choices=["jsonl", "csv"], required=True)
    export.add_argument(
        "--from", dest="since", type=_moment, metavar="TIME", help="from this date or time on, UTC"
    )
    export.add_argument(
        "--to", dest="until", type=_moment, metavar="TIME", help="before this date or time, UTC"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run one action. Decision: G870."""
    with open_installation():
        if arguments.action == "verify":
            return _verify(arguments.head)
        _export(arguments.format, arguments.since, arguments.until)
    return 0


def _verify(head_file: Path | None) -> int:
    from seqfacility_instance.access.audit_chain import count_erased
    from seqfacility_instance.access.audit_heads import UnusableHeads, read_heads
    from seqfacility_instance.access.audit_verification import check_kept, verify

    verdict = verify()
    if verdict.is_intact and head_file is not None:
        try:
            kept = check_kept(read_heads(head_file))
        except (OSError, UnusableHeads) as failed:
            raise Refused(f"{head_file} cannot be used: {failed}") from failed
        if kept.is_intact:
            sys.stdout.write(f"heads: {kept.rows} of {head_file} are in the trail\n")
        else:
            verdict = kept
    if not verdict.is_intact:
        sys.stdout.write(f"broken: {verdict.finding}\n")
        return 1
    sys.stdout.write(f"intact: {counted(verdict.rows, 'row')}\n")
    if verdict.head is not None:
        sys.stdout.write(f"head: {verdict.head.sequence} {verdict.head.hash}\n")
    erased, noted = count_erased()
    sys.stdout.write(f"erased: {erased} addresses and words, {noted} noted as personal-words-erased\n")
    return 0


def _export(form: str, since: datetime | None, until: datetime | None) -> None:
    from seqfacility_instance.access.audit_export import COLUMNS, exported_rows
    from seqfacility_instance.core.json_text import compact_json
    from seqfacility_instance.workbooks.csv_tables import BYTE_ORDER_MARK, csv_lines

    sys.stdout.reconfigure(encoding="utf-8", newline="")  # type: ignore[union-attr]  # it is no other stream here
    if form == "csv":
        sys.stdout.write(BYTE_ORDER_MARK + csv_lines([COLUMNS]))
    for row in exported_rows(since, until):
        if form == "jsonl":
            sys.stdout.write(f"{compact_json(row)}\n")
        else:
            sys.stdout.write(csv_lines([[_cell(value) for value in row.values()]]))


def _cell(value: object) -> str | int | None:
    if value is None or isinstance(value, str | int):
        return value
    return json.dumps(value, ensure_ascii=False)


def _moment(text: str) -> datetime:
    try:
        return parse_time(text if "T" in text.upper() or " " in text else f"{parse_date(text)}T00:00")
    except ValueError as wrong:
        raise argparse.ArgumentTypeError(f"{text} is no date like 2031-05-04 and no ISO 8601 time") from wrong
