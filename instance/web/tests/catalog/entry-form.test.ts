import { expect, test } from "vitest";
import { itemWith, readRest, typedOf } from "../../src/screens/catalog/entry-form";

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
