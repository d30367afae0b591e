/** What a grid shows: columns, and rows of texts. A row keeps its identity through every change. */

export type Kind =
  | "text"
  | "longText"
  | "select"
  | "multiselect"
  | "checkbox"
  | "number"
  | "date"
  | "barcode"
  | "organism";

export interface Column {
  readonly key: string;
  /** What people read above the column. */
  readonly label: string;
  /** Further headers that mean this column in a pasted table. */
  readonly names: readonly string[];
  readonly kind: Kind;
  readonly options: readonly string[];
  readonly required: boolean;
  readonly isUnique: boolean;
  readonly unit?: string | undefined;
  /** The unit of one row's value, where rows differ. */
  readonly unitOf?: ((row: Row) => string | undefined) | undefined;
  /** A text that is most often a number: `0,2` is read as one, and what is none stays. */
  readonly isMeasured?: boolean | undefined;
  readonly help?: string | undefined;
  readonly pattern?: string | undefined;
  readonly patternMessage?: string | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** Its values are names of organisms. */
  readonly isTaxon?: boolean | undefined;
  /** The key of the column that its values come with: another text there leaves nothing here. */
  readonly follows?: string | undefined;
  /** What stands above the label, the section of a checklist for example. */
  readonly group?: string | undefined;
  /** Words that stand for a value that there is not: `not collected`. */
  readonly terms?: readonly string[] | undefined;
  /** What is required may come later: an empty cell is wanted, not wrong. */
  readonly mayWait?: boolean | undefined;
  /** It names the row, and is not written. Rows that are pasted with it go to the row of this name. */
  readonly isFixed?: boolean | undefined;
  /** What a fixed column shows that is no text of the row itself. */
  readonly shows?: ((row: Row) => string) | undefined;
}

export interface Row {
  readonly id: string;
  readonly cells: readonly string[];
}

export type Rows = readonly Row[];

/** A place in what is shown: both count from 0. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

export interface Area {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** A new text for one cell; `row` is an index of `Rows`. */
export interface Change {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

let rowsMade = 0;

/** Make the identity of a new row, for this page only: the server gives samples theirs. */
export function newRowId(): string {
  rowsMade += 1;
  return `row-${rowsMade}`;
}

export function blankRow(columns: number): Row {
  return { id: newRowId(), cells: new Array<string>(columns).fill("") };
}

export function blankRows(count: number, columns: number): Row[] {
  return Array.from({ length: count }, () => blankRow(columns));
}

export function isBlank(row: Row): boolean {
  return row.cells.every((cell) => cell === "");
}

export function cellText(rows: Rows, row: number, column: number): string {
  return rows[row]?.cells[column] ?? "";
}

/** Return the rows with some cells changed; rows in which nothing changes stay the same objects. */
export function withChanges(rows: Rows, changes: Iterable<Change>): Rows {
  const changed = new Map<number, string[]>();
  for (const { row, column, text } of changes) {
    const before = rows[row];
    if (before === undefined || (changed.get(row) ?? before.cells)[column] === text) continue;
    const cells = changed.get(row) ?? [...before.cells];
    cells[column] = text;
    changed.set(row, cells);
  }
  if (changed.size === 0) return rows;
  return rows.map((row, index) => {
    const cells = changed.get(index);
    return cells === undefined ? row : { id: row.id, cells };
  });
}

export function textsOf(rows: Rows, area: Area): string[][] {
  return rows.slice(area.top, area.bottom + 1).map((row) => row.cells.slice(area.left, area.right + 1));
}
