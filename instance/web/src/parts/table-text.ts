/** The start of a table file, as its cells. */
export interface TableStart {
  head: string[];
  rows: string[][];
  /** Whether the file goes on after these rows. */
  hasMore: boolean;
}

const MAX_ROWS = 200;

const isComma = (name: string): boolean => /\.csv$/i.test(name);

/** Whether a file is a table that the page can show as one. */
export const isTable = (name: string): boolean => isComma(name) || /\.tsv$/i.test(name);

/**
 * Read the first rows of a table file; `isCut` tells that `source` is only its beginning, whose last line
 * may end anywhere. Every row has as many cells as the longest one.
 */
export function readTableStart(name: string, source: string, isCut: boolean): TableStart {
  const lines = isComma(name) ? readCsv(source) : readTsv(source);
  if (isCut) lines.pop();
  const [head = [], ...rows] = lines;
  const shown = rows.slice(0, MAX_ROWS);
  const width = Math.max(head.length, ...shown.map((row) => row.length));
  const filled = (row: string[]): string[] => [...row, ...Array<string>(width - row.length).fill("")];
  return { head: filled(head), rows: shown.map(filled), hasMore: isCut || rows.length > shown.length };
}

// What writes TSV in this field quotes nothing: a quote is a character like any other.
const readTsv = (source: string): string[][] =>
  linesOf(source)
    .filter((line) => line !== "")
    .map((line) => line.split("\t"));

const linesOf = (source: string): string[] => source.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);

/** Read comma-separated values as RFC 4180 has them: a quoted cell may hold commas, quotes and line ends. */
function readCsv(source: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = "", end = ""] of source
    .replace(/^\ufeff/, "")
    .matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|\n|\r|$)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  }
  return rows;
}
