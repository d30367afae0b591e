import { expect, test } from "vitest";
import type { Column, Row } from "../../src/grid/table";
import { type Base, contentOf, mergedCells, mergedTable, withMerge } from "../../src/screens/new-order/merge";

const column = (key: string, kind: Column["kind"] = "text"): Column => ({
  key,
  label: key,
  names: [],
  kind,
  options: [],
  required: false,
  isUnique: false,
});
const columns = [column("alias"), column("title"), column("volume", "number")];
const row = (id: string, ...cells: string[]): Row => ({ id, cells });
const base = (sampleId: string, second: number, ...cells: string[]): Base => ({
  sampleId,
  updatedAt: `2031-05-04T09:30:0${second}.000Z`,
  cells,
});
const stored = (id: string, one: Base) => ({ row: row(id, ...one.cells), base: one });

test("different cells of one row merge, and the same cell keeps mine and is told", () => {
  const merged = mergedCells(columns, ["a", "t", "1"], ["b", "t", "2"], ["a", "u", "3"]);

  expect(merged).toEqual({ cells: ["b", "u", "2"], conflicts: [2] });
});

test("both wrote the same, in other words: nobody is asked", () => {
  expect(mergedCells(columns, ["", "", "1"], ["x", "", "12.50"], ["x ", "", "12.5"]).conflicts).toEqual([]);
});

test("what the service only wrote differently is no change of somebody else", () => {
  const merged = mergedCells(columns, ["", "", "12.50"], ["", "", "13"], ["", "", "12.5"]);

  expect(merged).toEqual({ cells: ["", "", "13"], conflicts: [] });
});

test("a table takes rows that are new, loses those that are deleted, and keeps what was typed", () => {
  const rows = [row("r1", "a", "mine", ""), row("r2", "b", "", ""), row("r3", "c", "typed", "")];
  const bases = new Map([
    ["r1", base("s1", 1, "a", "", "")],
    ["r2", base("s2", 1, "b", "", "")],
    ["r3", base("s3", 1, "c", "", "")],
  ]);
  const now = [stored("n1", base("s1", 2, "a", "theirs", "5")), stored("n4", base("s4", 2, "d", "", ""))];

  const merge = mergedTable(columns, rows, bases, now, new Set());

  expect(withMerge(rows, rows, merge)).toEqual([
    row("r1", "a", "mine", "5"),
    row("r3", "c", "typed", ""),
    row("n4", "d", "", ""),
  ]);
  expect(merge.conflicts.map(({ rowId, key, theirs }) => [rowId, key, theirs])).toEqual([
    ["r1", "title", "theirs"],
    ["r3", null, ""],
  ]);
  expect([...merge.bases.keys()]).toEqual(["r1", "n4"]);
});

test("what is being deleted here does not come back", () => {
  const now = [stored("n1", base("s1", 2, "a", "", ""))];

  expect(mergedTable(columns, [], new Map(), now, new Set(["s1"])).added).toEqual([]);
});

test("an undone step has what others wrote, and its own text where it was another one", () => {
  const today = [row("r1", "a", "new", "")];
  const merge = mergedTable(
    columns,
    today,
    new Map([["r1", base("s1", 1, "a", "old", "")]]),
    [stored("n1", base("s1", 2, "A", "old", ""))],
    new Set(),
  );

  expect(withMerge([row("r1", "a", "old", "")], today, merge)).toEqual([row("r1", "A", "old", "")]);
  expect(withMerge([row("r1", "z", "old", "")], today, merge)).toEqual([row("r1", "z", "old", "")]);
});

test("rows of the same content are the same, whatever way their numbers are written", () => {
  expect(contentOf(["a ", "", "12.50"], columns)).toBe(contentOf(["a", "", "12.5"], columns));
  expect(contentOf(["a", "b", ""], columns)).not.toBe(contentOf(["a", "", "b"], columns));
});
