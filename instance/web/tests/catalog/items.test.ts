import { expect, test } from "vitest";
import { type Items, isFound, isSame, linesOf, naming, partsOf } from "../../src/screens/catalog/items";

const items: Items = {
  technologies: [{ id: "iseq", name: "iSeq 100" }],
  devices: [{ id: "device", name: "iSeq device", platformId: "iseq", compatibleKits: ["kit-a"] }],
  flowCells: [],
  kits: [
    { id: "kit-a", name: "Kit A" },
    { id: "kit-b", barcoding: { compatibleBarcodeKits: ["kit-a"] } },
  ],
  software: [],
  barcodeSchemes: [],
  barcodeSets: [],
};
const upper = (key: string): string => key.toUpperCase();
const field = (key: string, before: unknown, after: unknown, kept = false) => ({ key, before, after, kept });

test("a search wants every word, in any place and case", () => {
  const kit = { id: "sqk-lsk114", name: "Ligation Kit", sku: "SQK-LSK114" };

  expect(isFound(kit, "LSK114 ligation")).toBe(true);
  expect(isFound(kit, "ligation rapid")).toBe(false);
  expect(isFound(kit, "")).toBe(true);
});

test("entries are the same when every value is, and none is only the same as none", () => {
  expect(isSame({ id: "a", name: "A", sku: null }, { name: "A", id: "a" })).toBe(true);
  expect(isSame({ id: "a", name: "A" }, { id: "a", name: "B" })).toBe(false);
  expect(isSame(null, null)).toBe(true);
  expect(isSame(null, { id: "a" })).toBe(false);
});

test("an entry is named by those that hold its id, however deep", () => {
  expect(naming(items, { id: "kit-a" }).map(({ id }) => id)).toEqual(["device", "kit-b"]);
  expect(naming(items, { id: "kit-b" })).toEqual([]);
});

test("the lines of a value name other entries, figures and remarks", () => {
  expect(linesOf("platformId", "iseq", items)).toEqual(["iSeq 100"]);
  expect(linesOf("compatibleKits", ["kit-a", "gone"], items)).toEqual(["Kit A", "gone"]);
  expect(linesOf("specs", [{ label: "Run time", value: "9", unit: "h" }], items)).toEqual(["Run time: 9 h"]);
  expect(linesOf("pros", [{ text: "Quick", tooltip: "A day" }], items)).toEqual(["Quick"]);
});

test("of figures those are told that differ", () => {
  const specs = (value: string) => [
    { label: "Output", value: "1", unit: "Gb" },
    { label: "Run time", value, unit: "h" },
  ];

  expect(partsOf(field("specs", specs("9"), specs("10")), upper)).toEqual([
    { label: "SPECS, Run time", before: "9 h", after: "10 h", isKept: false },
  ]);
});

test("figures in another order and any other list are told as a whole", () => {
  const figures = [
    { label: "Output", value: "1" },
    { label: "Reads", value: "2" },
  ];

  expect(partsOf(field("specs", figures, figures.toReversed()), upper)).toEqual([
    { label: "SPECS", before: ["Output: 1", "Reads: 2"], after: ["Reads: 2", "Output: 1"], isKept: false },
  ]);
  expect(partsOf(field("kits", ["a"], ["b"], true), upper)).toEqual([
    { label: "KITS", before: ["a"], after: ["b"], isKept: true },
  ]);
});
