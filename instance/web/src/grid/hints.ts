/** Instant hints: what the form already says about a cell. The server's verdict replaces them. */
import { type TwoWays, twoWaysOf } from "./numbers";
import { type Column, isBlank, type Row, type Rows } from "./table";

/** Why a value is wrong, in words that `text/en/grid.ts` turns into a sentence. */
export type Reason =
  | { readonly kind: "required" }
  | { readonly kind: "number"; readonly ways?: TwoWays | undefined }
  | { readonly kind: "date" }
  | { readonly kind: "flag" }
  | { readonly kind: "option" }
  | { readonly kind: "tooSmall"; readonly min: number }
  | { readonly kind: "tooLarge"; readonly max: number }
  | { readonly kind: "tooShort"; readonly min: number }
  | { readonly kind: "tooLong"; readonly max: number }
  | { readonly kind: "pattern"; readonly message: string | null }
  | { readonly kind: "duplicate"; readonly otherRow: number };

/** Reasons by the id of the row, then by the key of the column. */
export type Hints = ReadonlyMap<string, ReadonlyMap<string, Reason>>;

const NUMBER = /^[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?$/;
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const LINE_MAX = 255;

const REPEATED_GROUP = /\)[*+{]/;

/** Compiled patterns that may be tried here; those that could take long, or are not JavaScript's, are the server's. */
const compiled = new Map<string, RegExp | null>();

function patternOf(source: string): RegExp | null {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  let pattern: RegExp | null = null;
  try {
    if (!REPEATED_GROUP.test(source)) pattern = new RegExp(`^(?:${source})$`, "u");
  } catch {
    // The server reads patterns as Python does; what only Python reads is left to it.
  }
  compiled.set(source, pattern);
  return pattern;
}

export function reasonFor(column: Column, text: string): Reason | null {
  if (text === "") return column.required && !column.mayWait ? { kind: "required" } : null;
  if (column.isFixed || column.terms?.includes(text)) return null;
  return kindReason(column, text) ?? lengthReason(column, text) ?? patternReason(column, text);
}

function kindReason(column: Column, text: string): Reason | null {
  switch (column.kind) {
    case "number":
      return numberReason(column, text);
    case "date":
      return DATE.test(text) && !Number.isNaN(Date.parse(text)) ? null : { kind: "date" };
    case "checkbox":
      return text === "yes" || text === "no" ? null : { kind: "flag" };
    case "select":
      return column.options.includes(text) ? null : { kind: "option" };
    case "multiselect":
      return text.split(";").every((part) => column.options.includes(part.trim()))
        ? null
        : { kind: "option" };
    default:
      return null;
  }
}

function numberReason({ min, max, unit }: Column, text: string): Reason | null {
  const value = Number(text);
  if (!NUMBER.test(text) || !Number.isFinite(value))
    return { kind: "number", ways: twoWaysOf(text, unit) ?? undefined };
  if (min !== undefined && value < min) return { kind: "tooSmall", min };
  return max !== undefined && value > max ? { kind: "tooLarge", max } : null;
}

function lengthReason({ kind, minLength, maxLength }: Column, text: string): Reason | null {
  if (kind !== "text" && kind !== "longText") return null;
  const length = [...text].length;
  const most = maxLength ?? (kind === "text" ? LINE_MAX : undefined);
  if (minLength !== undefined && length < minLength) return { kind: "tooShort", min: minLength };
  return most !== undefined && length > most ? { kind: "tooLong", max: most } : null;
}

function patternReason({ pattern, patternMessage }: Column, text: string): Reason | null {
  const regular = pattern === undefined ? null : patternOf(pattern);
  return regular === null || regular.test(text) ? null : { kind: "pattern", message: patternMessage ?? null };
}

const ofRow = new WeakMap<Row, { columns: readonly Column[]; reasons: ReadonlyMap<string, Reason> }>();

function rowReasons(row: Row, columns: readonly Column[]): ReadonlyMap<string, Reason> {
  const known = ofRow.get(row);
  if (known?.columns === columns) return known.reasons;
  const reasons = new Map<string, Reason>();
  if (!isBlank(row)) {
    for (const [index, column] of columns.entries()) {
      const reason = reasonFor(column, row.cells[index] ?? "");
      if (reason !== null) reasons.set(column.key, reason);
    }
  }
  ofRow.set(row, { columns, reasons });
  return reasons;
}

/** Return the hints of all rows. A row that has not changed since the last time costs a look-up. */
export function hintsOf(rows: Rows, columns: readonly Column[]): Hints {
  const hints = new Map<string, ReadonlyMap<string, Reason>>();
  for (const row of rows) {
    const reasons = rowReasons(row, columns);
    if (reasons.size > 0) hints.set(row.id, reasons);
  }
  for (const [index, column] of columns.entries()) {
    if (column.isUnique) addDuplicates(hints, rows, index, column.key);
  }
  return hints;
}

function addDuplicates(
  hints: Map<string, ReadonlyMap<string, Reason>>,
  rows: Rows,
  column: number,
  key: string,
): void {
  const places = new Map<string, number[]>();
  for (const [index, row] of rows.entries()) {
    const text = row.cells[column] ?? "";
    if (text === "") continue;
    const same = places.get(text);
    if (same === undefined) places.set(text, [index]);
    else same.push(index);
  }
  for (const same of places.values()) {
    const [first = 0, second] = same;
    if (second === undefined) continue;
    for (const index of same) {
      const row = rows[index];
      if (row === undefined) continue;
      const reason: Reason = { kind: "duplicate", otherRow: (index === first ? second : first) + 1 };
      hints.set(row.id, new Map([...(hints.get(row.id) ?? []), [key, reason]]));
    }
  }
}
