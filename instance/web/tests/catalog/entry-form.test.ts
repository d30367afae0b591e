import { expect, test } from "vitest";
import { itemWith, readRest, typedOf } from "../../src/screens/catalog/entry-form";
import {
  emptyRow,
  gapsIn,
  type Row,
  rowsInWords,
  rowsOf,
  rowsText,
} from "../../src/screens/catalog/entry-rows";

const KIT = {
  id: "kit",
  name: "Kit",
  available: false,
  multiplexing: true,
  barcodeCount: "96 or more",
  order: 3,
  barcoding: { barcodeSetId: "nb" },
};

test("what nobody touched is saved to the letter, and marked as the facility's", () => {
  expect(itemWith("kits", KIT, typedOf("kits", KIT))).toEqual({ ...KIT, localOverrides: true });
});

test("a changed field is read by its kind, and an empty one is no value", () => {
  const typed = { ...typedOf("kits", KIT), name: " Kit 2 ", order: "7", multiplexing: "false", sku: "K-2" };

  expect(itemWith("kits", KIT, typed)).toMatchObject({
    name: "Kit 2",
    order: 7,
    multiplexing: false,
    sku: "K-2",
  });
  expect(itemWith("kits", KIT, { ...typed, order: "" })).not.toHaveProperty("order");
  expect(itemWith("kits", KIT, { ...typed, order: "first" })).toMatchObject({ order: "first" });
});

test("lines are a list without blanks", () => {
  const device = { id: "device", compatibleKits: ["a"] };
  const typed = { ...typedOf("devices", device), compatibleKits: "a\n\n b \n" };

  expect(itemWith("devices", device, typed)).toMatchObject({ compatibleKits: ["a", "b"] });
});

test("what has no field is edited as JSON, and goes when it is not there any more", () => {
  const typed = { ...typedOf("kits", KIT), rest: '{"skuNote": "new"}' };

  const next = itemWith("kits", KIT, typed);

  expect(next).toMatchObject({ skuNote: "new", available: false });
  expect(next).not.toHaveProperty("barcoding");
});

test.each([
  ["", {}],
  [" ", {}],
  ['{"a": 1}', { a: 1 }],
  ["[1]", null],
  ["null", null],
  ["{", null],
])("%j as the rest is %j", (text, rest) => {
  expect(readRest(text)).toEqual(rest);
});

const PLATFORM = {
  id: "reader",
  specs: [
    { label: "Output", value: 300, unit: "Gb", source: "manual" },
    { label: "Range", value: { from: 1, to: 2 } },
    "by word of mouth",
    { label: "Chemistry" },
  ],
  pros: [{ text: "Fast", tooltip: "A day." }],
};

/** What is saved when somebody has done that to the rows of a field. */
function saved(key: "specs" | "pros" | "cons", change: (rows: readonly Row[]) => readonly Row[]): unknown {
  const typed = typedOf("technologies", PLATFORM);
  const rows = change(rowsOf(typed[key] ?? ""));
  return itemWith("technologies", PLATFORM, { ...typed, [key]: rowsText(rows) })[key];
}

const typing =
  (place: number, cells: Record<string, string>) =>
  (rows: readonly Row[]): Row[] =>
    rows.map((row, at) => (at === place ? { ...row, cells: { ...row.cells, ...cells } } : row));

const added = (key: string, cells: Record<string, string>): Row => ({
  cells: { ...emptyRow(key).cells, ...cells },
});

test("rows that nobody touched are saved to the letter", () => {
  expect(itemWith("technologies", PLATFORM, typedOf("technologies", PLATFORM))).toEqual({
    ...PLATFORM,
    localOverrides: true,
  });
});

test("a changed row keeps its number a number and what no column shows, and the rows beside it stay", () => {
  expect(saved("specs", typing(0, { value: " 600 ", unit: "" }))).toEqual([
    { label: "Output", value: 600, source: "manual" },
    ...PLATFORM.specs.slice(1),
  ]);
  expect(saved("specs", typing(0, { value: "up to 600" }))).toMatchObject([
    { value: "up to 600" },
    {},
    {},
    {},
  ]);
});

test("what is typed back is not changed", () => {
  expect(saved("specs", (rows) => typing(0, { value: "300" })(typing(0, { value: "" })(rows)))).toBe(
    PLATFORM.specs,
  );
});

test("rows are added and removed, blank ones are none", () => {
  expect(saved("pros", (rows) => [...rows, added("pros", { text: "Quiet " }), emptyRow("pros")])).toEqual([
    ...PLATFORM.pros,
    { text: "Quiet" },
  ]);
  expect(saved("specs", (rows) => rows.slice(1))).toEqual(PLATFORM.specs.slice(1));
  expect(saved("pros", () => [])).toBeUndefined();
  expect(saved("cons", () => [emptyRow("cons")])).toBeUndefined();
  expect(saved("specs", typing(3, { label: " " }))).toEqual(PLATFORM.specs.slice(0, 3));
});

test("what is no list stays until it is removed", () => {
  const odd = { id: "odd", cons: "slow" };
  const typed = typedOf("technologies", odd);

  expect(itemWith("technologies", odd, { ...typed, name: "Odd" })).toMatchObject({ cons: "slow" });
  expect(itemWith("technologies", odd, { ...typed, cons: "" })).not.toHaveProperty("cons");
});

test("only a typed row that lacks something is refused", () => {
  const rows = rowsOf(typedOf("technologies", PLATFORM).specs ?? "");

  expect(gapsIn("specs", rowsText(rows))).toEqual([]);
  expect(gapsIn("specs", rowsText([...rows, added("specs", { unit: "Gb" }), emptyRow("specs")]))).toEqual([
    "specs[4].label",
    "specs[4].value",
  ]);
  expect(gapsIn("pros", rowsText([added("pros", { tooltip: "Why" })]))).toEqual(["pros[0].text"]);
});

test("rows are told as people write them", () => {
  expect(rowsInWords(typedOf("technologies", PLATFORM).specs ?? "")).toEqual([
    "Output: 300 Gb",
    { label: "Range", value: { from: 1, to: 2 } },
    "by word of mouth",
    "Chemistry",
  ]);
});
