import { expect, test } from "vitest";
import { changesOf, rebased } from "../../src/parts/rebased";

test("what only one changed is taken, what both changed to another value is disputed", () => {
  const base = { name: "Kit", sku: "1", category: "x", chemistry: "a" };
  const mine = { name: "Mine", sku: "2", category: "x", chemistry: "b" };
  const theirs = { name: "Theirs", sku: "1", category: "y", chemistry: "b" };

  expect(rebased(mine, base, theirs)).toEqual({
    typed: { name: "Mine", sku: "2", category: "y", chemistry: "b" },
    disputed: ["name"],
  });
});

test("only values that are others than before are saved", () => {
  const before = { name: "Limnology", isActive: true };

  expect(changesOf(before, { name: "Limnology", isActive: false })).toEqual({ isActive: false });
});
