/** Which rows are there, and in which order. */
import { newRowId, type Row, type Rows } from "./table";

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** Sort by one column, digits as numbers, blank cells last; equal rows keep their order. */
export function sorted(rows: Rows, column: number, descending: boolean): Rows {
  return rows.toSorted((one, other) => {
    const [a, b] = [one.cells[column] ?? "", other.cells[column] ?? ""];
    if (a === "" || b === "") return Number(a === "") - Number(b === "");
    return descending ? collator.compare(b, a) : collator.compare(a, b);
  });
}

export function withoutRows(rows: Rows, indices: ReadonlySet<number>): Rows {
  return rows.filter((_, index) => !indices.has(index));
}

/** Put a copy of each of these rows behind the last of them. */
export function duplicated(rows: Rows, indices: readonly number[]): Rows {
  const copies: Row[] = indices.flatMap((index) => {
    const row = rows[index];
    return row === undefined ? [] : [{ id: newRowId(), cells: row.cells }];
  });
  const behind = Math.max(...indices) + 1;
  return [...rows.slice(0, behind), ...copies, ...rows.slice(behind)];
}
