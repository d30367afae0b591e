import { expect, test } from "vitest";
import { grouped, type ObjectChange, valueChanges } from "../../src/registry-updates/differences";
import { valueWords } from "../../src/text/en/registry-updates";

const change = (id: string, kind: ObjectChange["kind"]): ObjectChange => ({ id, name: id, kind });

test("objects stand by kind and name, and a kind without any does not stand there", () => {
  const found = grouped([change("z", "gone"), change("b", "new"), change("a", "new")]);

  expect(found.map(({ kind, objects }) => [kind, objects.map(({ id }) => id)])).toEqual([
    ["new", ["a", "b"]],
    ["gone", ["z"]],
  ]);
});

test("values differ by what they say, not by the order of keys or by null for nothing", () => {
  const here = { name: "Kit", plate: { rows: 8, columns: 12 }, image: null, reads: [1, 2] };
  const there = { plate: { columns: 12, rows: 8 }, name: "Kit 14", reads: [2, 1], isNew: true };

  expect(valueChanges(here, there, (key) => key.toUpperCase())).toEqual([
    { label: "NAME", before: "Kit", after: "Kit 14" },
    { label: "READS", before: [1, 2], after: [2, 1] },
    { label: "ISNEW", before: undefined, after: true },
  ]);
});

test.each([
  ["\\d{4}", "\\d{4}"],
  [null, "nothing"],
  [undefined, "nothing"],
  ["", "nothing"],
  [[], "nothing"],
  [{}, "nothing"],
  [true, "yes"],
  [false, "no"],
  [0, "0"],
  [2026, "2026"],
  [["m", "km"], "m and km"],
  [{ rows: 8, kits: ["A"] }, "rows: 8; kits: A"],
])("%j is read as %s", (value, words) => {
  expect(valueWords(value)).toBe(words);
});
