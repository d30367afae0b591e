/** What a spreadsheet would run as a formula, the same rule as the service's own exports. */
const FORMULA = /^'*[=+\-@\t\r]/;

function cell(value: string | number): string {
  const text = typeof value === "string" && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Write a table as CSV (RFC 4180, with a byte-order mark so that spreadsheets read UTF-8). */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return `\ufeff${rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("")}`;
}

/** Let the browser save a text under a name. */
export function saveText(name: string, text: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // The download has its own hold on the data by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
