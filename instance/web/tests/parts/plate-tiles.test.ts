import { expect, test } from "vitest";
import { columnsFor, countsInWords, inBlocks, placeAfter } from "../../src/parts/plate-tiles";

test("a row has 12 tiles up to 96 samples and 24 beyond", () => {
  expect([columnsFor(1), columnsFor(96), columnsFor(97)]).toEqual([12, 12, 24]);
});

test.each([
  ["ArrowRight", 0, 1],
  ["ArrowDown", 0, 12],
  ["ArrowUp", 5, 5],
  ["ArrowLeft", 0, 0],
  ["ArrowDown", 90, 90],
  ["End", 3, 95],
  ["Home", 50, 0],
  ["x", 3, null],
])("%s from %d leads to %s", (key, from, to) => {
  expect(placeAfter(key, from, 96, 12)).toBe(to);
});

test("a density map shares every sample out, state after state, to blocks of one size", () => {
  const blocks = inBlocks({ waiting: 4990, done: 4, problem: 6 }, 96);

  const sums = blocks.map((block) => Object.values(block).reduce((sum, part) => sum + part, 0));
  expect(blocks[0]?.done).toBe(4);
  expect(blocks[0]?.problem).toBe(6);
  for (const sum of sums) expect(sum).toBeCloseTo(5000 / 96);
});

test("a density map of nothing is empty", () => {
  expect(inBlocks({}, 2)).toEqual([{}, {}]);
});

test("the counts are told in the legend's order", () => {
  const words = countsInWords({ waiting: 28, done: 58 }, { done: "Pair intact", waiting: "Waiting" }, String);

  expect(words).toBe("58 pair intact, 28 waiting");
});
