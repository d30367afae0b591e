/** Cells that come with another cell of their row, as the taxonomy id of an organism does with its name. */
import type { Change, Column, Rows } from "./table";

/**
 * Return the changes with those that follow from them: what came with the former text is emptied, unless it is
 * part of the same edit. What stood there before there was a text, somebody wrote.
 */
export function withFollowers(
  rows: Rows,
  columns: readonly Column[],
  changes: readonly Change[],
): readonly Change[] {
  const followers = columns.flatMap(({ follows }, column) => {
    const leader = columns.findIndex(({ key }) => key === follows);
    return follows === undefined || leader === -1 ? [] : [{ leader, column }];
  });
  const emptied = followers.flatMap(({ leader, column }) => {
    const written = new Set(changes.filter((one) => one.column === column).map(({ row }) => row));
    const other = changes.filter(({ row, column: changed, text }) => {
      const before = rows[row]?.cells[leader] ?? "";
      const isOther = before !== "" && before.toLowerCase() !== text.toLowerCase();
      return changed === leader && isOther && !written.has(row);
    });
    return other.map(({ row }) => ({ row, column, text: "" }));
  });
  return [...changes, ...emptied];
}
