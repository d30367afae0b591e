/** Finding and replacing texts in cells. */
import { contains } from "./selection";
import type { Area, Change, Place, Rows } from "./table";

export interface Query {
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeCell: boolean;
}

/**
 * Return the cells that hold a text, in reading order; `shown` are the indices of the visible rows, and `within`
 * is the only part of them that is searched, if it is not null.
 */
export function findAll(
  rows: Rows,
  shown: readonly number[],
  query: Query,
  within: Area | null = null,
): Place[] {
  const pattern = patternOf(query);
  if (pattern === null) return [];
  return shown.flatMap((index, row) =>
    (rows[index]?.cells ?? []).flatMap((cell, column) =>
      isWithin(within, { row, column }) && cell.search(pattern) !== -1 ? [{ row, column }] : [],
    ),
  );
}

/** Return what replacing a text in these cells changes. */
export function replacements(
  rows: Rows,
  shown: readonly number[],
  places: readonly Place[],
  query: Query,
  replacement: string,
): Change[] {
  const pattern = patternOf(query);
  if (pattern === null) return [];
  return places.flatMap(({ row, column }) => {
    const index = shown[row];
    const before = index === undefined ? undefined : rows[index]?.cells[column];
    if (index === undefined || before === undefined) return [];
    return [{ row: index, column, text: before.replace(pattern, () => replacement) }];
  });
}

function isWithin(area: Area | null, place: Place): boolean {
  return area === null || contains(area, place);
}

function patternOf({ text, matchCase, wholeCell }: Query): RegExp | null {
  if (text === "") return null;
  const literal = text.replaceAll(
    /[\\^$.*+?()[\]{}|/-]/g,
    (mark) => `\\u{${mark.codePointAt(0)?.toString(16)}}`,
  );
  return new RegExp(wholeCell ? `^${literal}$` : literal, matchCase ? "gu" : "giu");
}
