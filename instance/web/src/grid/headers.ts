/** Which columns of the grid a pasted table has, by its first row. */
import type { Column } from "./table";

/** For each pasted column the index of ours, null for one that is left out. */
export type Mapping = readonly (number | null)[];

/** Return the columns that a first row names; null when it is no header but the first row of data. */
export function matchHeader(first: readonly string[], columns: readonly Column[]): Mapping | null {
  const byName = new Map<string, number>();
  for (const [index, column] of columns.entries()) {
    for (const name of [column.label, column.key, ...column.names]) {
      for (const form of [comparable(name), comparable(withoutUnit(name))]) {
        if (form !== "" && !byName.has(form)) byName.set(form, index);
      }
    }
  }
  const taken = new Set<number>();
  const mapping = first.map((text) => {
    const found = byName.get(comparable(text)) ?? byName.get(comparable(withoutUnit(text))) ?? null;
    if (found === null || taken.has(found)) return null;
    taken.add(found);
    return found;
  });
  const named = first.filter((text) => text.trim() !== "").length;
  return taken.size > 0 && taken.size * 2 >= named ? mapping : null;
}

/** Return the mapping of a table without a header: side by side from a column on. */
export function inPlace(width: number, from: number, columns: readonly Column[]): Mapping {
  const targets = columns.flatMap(({ shows }, index) => (index < from || shows ? [] : [index]));
  return Array.from({ length: width }, (_, index) => targets[index] ?? null);
}

function withoutUnit(text: string): string {
  return text.replace(/[([][^)\]]*[)\]]\s*\*?\s*$/, "");
}

function comparable(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
