/**
 * Tables as the text that spreadsheets put on the clipboard: cells end with a tab, rows with a line end.
 *
 * Excel and Google Sheets quote a cell that holds a tab, a line break or a quote, and double its quotes.
 * LibreOffice quotes nothing and turns breaks into blanks, so a cell of its own may begin and end with a
 * quote: quotes count as ours only when something between them needed them.
 */

const NEEDED_QUOTES = /[\t\r\n]|""/;

/** Return the cells of a clipboard text, row by row; a last line end begins no row. */
export function readTable(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  while (at <= source.length) {
    if (at === source.length && row.length === 0 && rows.length > 0) break;
    const quoted = source[at] === '"' ? quotedCell(source, at) : null;
    const end = quoted === null ? plainEnd(source, at) : quoted.end;
    row.push(quoted === null ? source.slice(at, end) : quoted.text);
    at = end + 1;
    if (source[end] === "\t") continue;
    rows.push(row);
    row = [];
    if (source[end] === "\r" && source[at] === "\n") at += 1;
    if (end >= source.length) break;
  }
  return text === "" ? [] : rows;
}

const CELL_END = /[\t\r\n]/g;

function plainEnd(source: string, from: number): number {
  CELL_END.lastIndex = from;
  return CELL_END.exec(source)?.index ?? source.length;
}

function quotedCell(source: string, from: number): { text: string; end: number } | null {
  let at = from + 1;
  while (true) {
    const quote = source.indexOf('"', at);
    if (quote === -1) return null;
    if (source[quote + 1] === '"') {
      at = quote + 2;
      continue;
    }
    const after = source[quote + 1];
    if (after !== undefined && after !== "\t" && after !== "\n" && after !== "\r") return null;
    const inside = source.slice(from + 1, quote);
    if (!NEEDED_QUOTES.test(inside)) return null;
    return { text: inside.replaceAll('""', '"').replaceAll("\r\n", "\n"), end: quote + 1 };
  }
}

/** Write cells as a spreadsheet reads them. */
export function writeTable(cells: readonly (readonly string[])[]): string {
  return cells.map((row) => row.map(writeCell).join("\t")).join("\r\n");
}

function writeCell(text: string): string {
  return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
