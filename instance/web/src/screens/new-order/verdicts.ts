/** What the service says of rows, as words for their cells. */
import type { Problem } from "../../api/problem";
import { reasonFor } from "../../grid/hints";
import type { Column, Row } from "../../grid/table";
import { reasonText } from "../../text/en/grid";
import type { CheckProblem } from "./requests";
import { columnOfProblem, type Form } from "./samples";

/** What is wrong with a cell that is no value at all. */
const TYPES: ReadonlySet<string> = new Set(["number", "date", "flag"]);

/** Words by the key of a column, for each row that was asked about. */
export type Words = ReadonlyMap<Row, ReadonlyMap<string, string>>;

/** Cells that are no value of their column's type, with the reason: no table that has them is stored. */
export function notUnderstood(row: Row, columns: readonly Column[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const [index, column] of columns.entries()) {
    const reason = reasonFor(column, row.cells[index] ?? "");
    if (reason !== null && TYPES.has(reason.kind)) found.set(column.key, reasonText(reason));
  }
  return found;
}

/** Lay problems over `rows`, which are those that the server was asked about, in this order. */
export function wordsOf(
  problems: readonly CheckProblem[],
  rows: readonly Row[],
  sampleIdOf: (row: Row) => string | undefined,
  columns: readonly Column[],
  form: Form,
): Words {
  const bySample = new Map(rows.map((row) => [sampleIdOf(row), row]));
  const found = new Map(rows.map((row) => [row, notUnderstood(row, columns)]));
  for (const { sampleId, row: number, field, message } of problems) {
    const row = sampleId !== null ? bySample.get(sampleId) : rows[(number ?? 0) - 1];
    if (row !== undefined && field !== null) found.get(row)?.set(columnOfProblem(field, form), message);
  }
  return found;
}

/** Return what a refusal says of cells; raises it when it says nothing of any. */
export function wordsOfRefusal(problem: Problem, rows: readonly Row[]): Words {
  const found = new Map<Row, Map<string, string>>();
  for (const { path, reason } of problem.details) {
    const [, index, name] = /^samples\[(\d+)\]\.(?:customFields\.)?(.+)$/.exec(path ?? "") ?? [];
    const row = rows[Number(index)];
    if (row === undefined || name === undefined) continue;
    const messages = found.get(row) ?? new Map<string, string>();
    found.set(row, messages.set(name, reason));
  }
  if (problem.status !== 400 || found.size === 0) throw problem;
  return found;
}
