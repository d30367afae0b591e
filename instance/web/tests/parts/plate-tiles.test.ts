import { expect, test } from "vitest";
import { columnsFor, countsInWords, inBlocks, placeAfter, type Tile } from "../../src/parts/plate-tiles";

const tiles = (many: number): Tile[] =>
  Array.from({ length: many }, (_, place) => ({
    id: `${place}`,
    label: `lake-${place + 1}`,
    state: place % 2 === 0 ? "done" : "waiting",
  }));

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

test("a density map holds every sample once, in order", () => {
  const blocks = inBlocks(tiles(5000), 96);

  expect(blocks.length).toBeLessThanOrEqual(96);
  expect(blocks[0]?.first.label).toBe("lake-1");
  expect(blocks.at(-1)?.last.label).toBe("lake-5000");
  const all = blocks.reduce((sum, { counts }) => sum + (counts.done ?? 0) + (counts.waiting ?? 0), 0);
  expect(all).toBe(5000);
});

test("the counts are told in the legend's order", () => {
  const words = countsInWords({ waiting: 28, done: 58 }, { done: "Pair intact", waiting: "Waiting" }, String);

  expect(words).toBe("58 pair intact, 28 waiting");
});
