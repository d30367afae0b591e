/** What becomes of a row that was changed here and elsewhere: each cell alone is merged of three texts. */
import { type Column, isBlank, type Row, type Rows } from "../../grid/table";
import { valueFor } from "./samples";

/** A sample as it was when its row was read or saved here. */
export interface Base {
  readonly sampleId: string;
  readonly updatedAt: string;
  readonly cells: readonly string[];
}

/** A cell that was changed here and elsewhere, or, without a key, a row that was deleted elsewhere. */
export interface CellConflict {
  readonly rowId: string;
  readonly key: string | null;
  readonly theirs: string;
  /** When it was changed elsewhere, as the service says. */
  readonly at: Date | null;
}

/** The value of a text, for comparing: the service stores `12.50` as 12.5 and no spaces around a name. */
function comparable({ kind }: Column, text: string): string {
  return JSON.stringify(valueFor(kind, text.trim()));
}

export function isSame(column: Column, one: string, other: string): boolean {
  return one === other || comparable(column, one) === comparable(column, other);
}

export function isOtherwise(one: readonly string[], other: readonly string[] | undefined): boolean {
  return one !== other && one.some((cell, index) => cell !== other?.[index]);
}

/** What a row holds, as one text: two rows with the same one are the same to the service. */
export function contentOf(cells: readonly string[], columns: readonly Column[]): string {
  return JSON.stringify(columns.map((column, index) => comparable(column, cells[index] ?? "")));
}

/** Merge one row; where both sides changed a cell to something else, mine stays and the column is named. */
export function mergedCells(
  columns: readonly Column[],
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): { cells: string[]; conflicts: number[] } {
  const conflicts: number[] = [];
  const cells = columns.map((column, index) => {
    const [was, own, other] = [base[index] ?? "", mine[index] ?? "", theirs[index] ?? ""];
    if (isSame(column, was, other)) return own;
    if (isSame(column, was, own)) return other;
    if (!isSame(column, own, other)) conflicts.push(index);
    return own;
  });
  return { cells, conflicts };
}

export interface Merge {
  readonly bases: ReadonlyMap<string, Base>;
  /** New cells by the id of a row, where something of theirs was taken. */
  readonly taken: ReadonlyMap<string, readonly string[]>;
  readonly added: readonly Row[];
  readonly removed: ReadonlySet<string>;
  readonly conflicts: readonly CellConflict[];
}

/**
 * Merge a table: `now` is what is stored, each as a row that would be new here. What is left out of `now` was
 * deleted elsewhere: its row goes, unless it was changed here. `gone` are samples that are being deleted here.
 */
export function mergedTable(
  columns: readonly Column[],
  rows: Rows,
  bases: ReadonlyMap<string, Base>,
  now: readonly { readonly row: Row; readonly base: Base }[],
  gone: ReadonlySet<string>,
): Merge {
  const stored = new Map(now.map((one) => [one.base.sampleId, one]));
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  const [next, taken] = [new Map<string, Base>(), new Map<string, readonly string[]>()];
  const removed = new Set<string>();
  const conflicts: CellConflict[] = [];
  for (const [rowId, base] of bases) {
    const row = rowOf.get(rowId);
    const theirs = stored.get(base.sampleId);
    stored.delete(base.sampleId);
    if (theirs === undefined) {
      const isChanged = row !== undefined && !isBlank(row) && isOtherwise(row.cells, base.cells);
      if (isChanged) conflicts.push({ rowId, key: null, theirs: "", at: null });
      else removed.add(rowId);
      continue;
    }
    next.set(rowId, theirs.base.updatedAt === base.updatedAt ? base : theirs.base);
    if (row === undefined || theirs.base.updatedAt === base.updatedAt) continue;
    const merged = mergedCells(columns, base.cells, row.cells, theirs.base.cells);
    if (isOtherwise(merged.cells, row.cells)) taken.set(rowId, merged.cells);
    const at = new Date(theirs.base.updatedAt);
    for (const index of merged.conflicts) {
      const key = columns[index]?.key ?? "";
      conflicts.push({ rowId, key, theirs: theirs.base.cells[index] ?? "", at });
    }
  }
  const fresh = [...stored.values()].filter(({ base }) => !gone.has(base.sampleId));
  for (const { row, base } of fresh) next.set(row.id, base);
  return { bases: next, taken, added: fresh.map(({ row }) => row), removed, conflicts };
}

/** Lay a merge over rows, those of today or of a step before: cells that were otherwise then stay so. */
export function withMerge(rows: Rows, today: Rows, { taken, added, removed }: Merge): Rows {
  const before = new Map(today.map((row) => [row.id, row.cells]));
  const known = new Set(rows.map(({ id }) => id));
  const laid = rows
    .filter(({ id }) => !removed.has(id))
    .map((row) => {
      const [was, next] = [before.get(row.id), taken.get(row.id)];
      if (was === undefined || next === undefined) return row;
      const cells = row.cells.map((cell, index) => (cell === was[index] ? (next[index] ?? cell) : cell));
      return { id: row.id, cells };
    });
  const end = laid.findLastIndex((row) => !isBlank(row)) + 1;
  const fresh = added.filter(({ id }) => !known.has(id));
  // Blank rows make room, so that a table of a few rows does not grow with what others add.
  const rest = laid.slice(end);
  return [
    ...laid.slice(0, end),
    ...fresh,
    ...rest.slice(Math.min(fresh.length, Math.max(0, rest.length - 1))),
  ];
}
