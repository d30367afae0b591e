/** Laying a pasted table over the rows of a grid. */
import { withFollowers } from "./follow";
import { inPlace, type Mapping, matchHeader } from "./headers";
import { type Guess, guessesIn, type Thousands } from "./numbers";
import { type Area, blankRows, type Change, type Column, type Place, type Rows, withChanges } from "./table";
import { cellFor, readingOf } from "./values";

/** What is pasted, and where each of its columns goes. `header` is null for a table without one. */
export interface Pasting {
  readonly header: readonly string[] | null;
  readonly cells: readonly (readonly string[])[];
  readonly mapping: Mapping;
  readonly from: Place;
  /** What a person said of marks that could be read in two ways, by the key of a column. */
  readonly chosen?: ReadonlyMap<string, Partial<Thousands>>;
}

/** What was guessed of the numbers in a column: null leaves them as they are. */
export interface ColumnGuess extends Guess {
  readonly column: Column;
  readonly isThousands: boolean | null;
}

/** Decide where a pasted table goes. A single cell never is a header. */
export function planPaste(
  table: readonly (readonly string[])[],
  columns: readonly Column[],
  from: Place,
): Pasting {
  const [first = [], ...rest] = table;
  const mapping = table.length > 1 ? matchHeader(first, columns) : null;
  if (mapping !== null) return { header: first, cells: rest, mapping, from: { row: from.row, column: 0 } };
  const width = Math.max(0, ...table.map((row) => row.length));
  return { header: null, cells: table, mapping: inPlace(width, from.column, columns), from };
}

/**
 * Return the rows after a paste. A table that is larger than the grid adds rows; one value, or one row,
 * fills a larger selection.
 *
 * `shown` are the indices of the rows that are visible, in their order: a filtered grid is pasted into as seen.
 */
export function pasted(
  rows: Rows,
  columns: readonly Column[],
  pasting: Pasting,
  language: string,
  shown: readonly number[] = rows.map((_, index) => index),
  selected?: Area,
): Rows {
  const { cells, mapping, from } = filling(pasting, columns, selected);
  const readings = readingsOf({ ...pasting, cells, mapping }, columns, language);
  const hasNames = columns.some(({ isFixed }) => isFixed);
  const missing = hasNames ? 0 : Math.max(0, from.row + cells.length - shown.length);
  const grown = missing === 0 ? rows : [...rows, ...blankRows(missing, columns.length)];
  const named = namedRows(rows, columns, { ...pasting, cells, mapping });
  const changes: Change[] = [];
  for (const [offset, row] of cells.entries()) {
    const place = from.row + offset;
    const index = named?.[offset] ?? shown[place] ?? rows.length + place - shown.length;
    if (named?.[offset] === null) continue;
    for (const [at, target] of mapping.entries()) {
      const column = target === null ? undefined : columns[target];
      const reading = readings[at];
      const text = row[at];
      if (target === null || column === undefined || reading === undefined || text === undefined) continue;
      if (column.isFixed) continue;
      changes.push({ row: index, column: target, text: cellFor(column, text, reading) });
    }
  }
  return withChanges(grown, withFollowers(grown, columns, changes));
}

function readingsOf({ cells, mapping, chosen }: Pasting, columns: readonly Column[], language: string) {
  return mapping.map((target, place) => {
    const column = target === null ? undefined : columns[target];
    if (column === undefined) return undefined;
    const reading = readingOf(column, () => cells.map((row) => row[place] ?? ""), language);
    return { ...reading, thousands: { ...reading.thousands, ...chosen?.get(column.key) } };
  });
}

/** Return what a paste has to guess, so that somebody can be told. */
export function guessesOf(
  pasting: Pasting,
  columns: readonly Column[],
  language: string,
  selected?: Area,
): ColumnGuess[] {
  const filled = filling(pasting, columns, selected);
  const readings = readingsOf(filled, columns, language);
  return filled.mapping.flatMap((target, place) => {
    const column = target === null ? undefined : columns[target];
    if (column?.kind !== "number") return [];
    const texts = filled.cells.map((row) => row[place] ?? "");
    return guessesIn(texts, column.unit, language).map((guess) => {
      return { ...guess, column, isThousands: readings[place]?.thousands[guess.mark] ?? null };
    });
  });
}

/**
 * Return the row that each pasted row names, null where there is none of this name; null altogether when the
 * pasted table does not name its rows.
 */
export function namedRows(
  rows: Rows,
  columns: readonly Column[],
  { cells, mapping }: Pick<Pasting, "cells" | "mapping">,
): readonly (number | null)[] | null {
  const at = mapping.findIndex((target) => target !== null && columns[target]?.isFixed === true);
  const target = mapping[at];
  if (target === null || target === undefined) return null;
  const places = new Map(rows.map((row, index) => [row.cells[target] ?? "", index]));
  return cells.map((row) => places.get((row[at] ?? "").trim()) ?? null);
}

function filling(pasting: Pasting, columns: readonly Column[], selected: Area | undefined): Pasting {
  const [only] = pasting.cells;
  if (pasting.header !== null || selected === undefined || pasting.cells.length !== 1 || only === undefined)
    return pasting;
  const height = selected.bottom - selected.top + 1;
  const width = selected.right - selected.left + 1;
  const row = only.length === 1 ? new Array<string>(width).fill(only[0] ?? "") : only;
  if (height === 1 && row.length === only.length) return pasting;
  return {
    ...pasting,
    cells: Array.from({ length: height }, () => row),
    mapping: inPlace(row.length, selected.left, columns),
    from: { row: selected.top, column: selected.left },
  };
}

export function matchedCount(mapping: Mapping): number {
  return mapping.filter((target) => target !== null).length;
}
