/** Figures and remarks of an entry as rows of text. What a row can't show stays in it as it is. */

interface Shape {
  readonly columns: readonly string[];
  /** What a row can't do without, as the published schema has it. */
  readonly needed: readonly string[];
}

const REMARKS: Shape = { columns: ["text", "tooltip"], needed: ["text"] };
const SHAPES: Readonly<Record<string, Shape>> = {
  specs: { columns: ["label", "value", "unit"], needed: ["label", "value"] },
  pros: REMARKS,
  cons: REMARKS,
};

export const columnsOf = (key: string): readonly string[] => SHAPES[key]?.columns ?? [];

type Cells = Readonly<Record<string, string>>;

export interface Row {
  /** What was there; a row that was added has none. */
  readonly from?: unknown;
  /** Null for what is no row of texts and numbers: it can only be removed. */
  readonly cells: Cells | null;
}

/** The rows as one text, as the other values of a form are; none are no text. */
export const rowsText = (rows: readonly Row[]): string => (rows.length === 0 ? "" : JSON.stringify(rows));

export const rowsOf = (text: string): readonly Row[] => (text === "" ? [] : JSON.parse(text));

export const emptyRow = (key: string): Row => ({
  cells: Object.fromEntries(columnsOf(key).map((column) => [column, ""])),
});

/** The rows of a value as it is stored. */
export function rowsIn(key: string, value: unknown): Row[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((from) => ({ from, cells: cellsOf(key, from) }));
}

function cellsOf(key: string, from: unknown): Cells | null {
  if (typeof from !== "object" || from === null || Array.isArray(from)) return null;
  const parts = columnsOf(key).map((column) => [column, partOf(from, column) ?? ""] as const);
  if (!parts.every(([, part]) => typeof part === "string" || typeof part === "number")) return null;
  return Object.fromEntries(parts.map(([column, part]) => [column, String(part)]));
}

const partOf = (from: unknown, column: string): unknown => Object(from)[column];

/** What is saved for the rows; undefined for none. */
export function valueOfRows(key: string, text: string): unknown[] | undefined {
  const isKept = (row: Row): boolean => (isChanged(key, row) ? !isBlank(row) : "from" in row);
  const values = rowsOf(text)
    .filter(isKept)
    .map((row) => saved(key, row));
  return values.length === 0 ? undefined : values;
}

const isBlank = ({ cells }: Row): boolean =>
  cells !== null && Object.values(cells).every((cell) => cell.trim() === "");

function isChanged(key: string, { from, cells }: Row): boolean {
  const before = cellsOf(key, from);
  return cells !== null && columnsOf(key).some((column) => cells[column] !== (before?.[column] ?? ""));
}

/** The row with what was typed: a number stays one, and whatever else it says stays. */
function saved(key: string, row: Row): unknown {
  if (row.cells === null || !isChanged(key, row)) return row.from;
  const before = cellsOf(key, row.from);
  const next: Record<string, unknown> = { ...Object(row.from) };
  for (const column of columnsOf(key)) {
    const typed = row.cells[column] ?? "";
    if (typed === (before?.[column] ?? "")) continue;
    const plain = typed.trim();
    const isNumber = typeof next[column] === "number" && Number.isFinite(Number(plain));
    if (plain === "") delete next[column];
    else next[column] = isNumber ? Number(plain) : plain;
  }
  return next;
}

export const pathOf = (key: string, place: number, column: string): string => `${key}[${place}].${column}`;

/** Where something is missing in what was typed. Decision: G1126. */
export function gapsIn(key: string, text: string): string[] {
  return rowsOf(text).flatMap((row, place) =>
    !isChanged(key, row) || isBlank(row)
      ? []
      : (SHAPES[key]?.needed ?? [])
          .filter((column) => row.cells?.[column]?.trim() === "")
          .map((column) => pathOf(key, place, column)),
  );
}

/** The rows as people write them, `Run time: 9.5-19 h`; what is no row stays a value. */
export const rowsInWords = (text: string): unknown[] =>
  rowsOf(text).map(({ from, cells }) => {
    if (cells === null) return from;
    const [first, ...more] = Object.values(cells).filter((cell) => cell !== "");
    return more.length === 0 ? first : `${first}: ${more.join(" ")}`;
  });
