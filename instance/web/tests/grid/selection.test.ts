import { describe, expect, test } from "vitest";
import {
  areaOf,
  at,
  contains,
  moved,
  nextInReadingOrder,
  type Size,
  type Stroke,
} from "../../src/grid/selection";
import { Random, seeds } from "./random";

const SIZE: Size = { rows: 20, columns: 5 };
const stroke = (key: string, held: Partial<Stroke> = {}): Stroke => ({
  key,
  shift: false,
  ctrl: false,
  ...held,
});
const filled = (...places: [number, number][]) => {
  const known = new Set(places.map(String));
  return ({ row, column }: { row: number; column: number }) => known.has(String([row, column]));
};
const nothing = () => false;

describe("keys", () => {
  test.each([
    [stroke("ArrowUp"), { row: 4, column: 2 }],
    [stroke("ArrowDown"), { row: 6, column: 2 }],
    [stroke("ArrowLeft"), { row: 5, column: 1 }],
    [stroke("ArrowRight"), { row: 5, column: 3 }],
    [stroke("Home"), { row: 5, column: 0 }],
    [stroke("End"), { row: 5, column: 4 }],
    [stroke("Home", { ctrl: true }), { row: 0, column: 0 }],
    [stroke("End", { ctrl: true }), { row: 19, column: 4 }],
    [stroke("PageUp"), { row: 0, column: 2 }],
    [stroke("PageDown"), { row: 15, column: 2 }],
    [stroke("ArrowDown", { ctrl: true }), { row: 19, column: 2 }],
  ])("%j leads from row 5, column 2 to %j", (key, place) => {
    expect(moved(at({ row: 5, column: 2 }), key, SIZE, 10, nothing)).toEqual(at(place));
  });

  test("Shift keeps the anchor", () => {
    const selection = moved(
      at({ row: 5, column: 2 }),
      stroke("ArrowDown", { shift: true }),
      SIZE,
      10,
      nothing,
    );

    expect(selection).toEqual({ anchor: { row: 5, column: 2 }, focus: { row: 6, column: 2 } });
  });

  test("Ctrl goes to the last filled cell, and from there to the next filled one", () => {
    const isFilled = filled([0, 0], [1, 0], [2, 0], [7, 0]);
    const down = stroke("ArrowDown", { ctrl: true });

    expect(moved(at({ row: 0, column: 0 }), down, SIZE, 10, isFilled)?.focus.row).toBe(2);
    expect(moved(at({ row: 2, column: 0 }), down, SIZE, 10, isFilled)?.focus.row).toBe(7);
    expect(moved(at({ row: 7, column: 0 }), down, SIZE, 10, isFilled)?.focus.row).toBe(19);
  });

  test("a key that does not move is none of ours", () => {
    expect(moved(at({ row: 0, column: 0 }), stroke("a"), SIZE, 10, nothing)).toBeNull();
  });

  test.each(seeds(300))("no sequence of keys leaves the grid, seed %i", (seed) => {
    const random = new Random(seed);
    const size = { rows: 1 + random.below(30), columns: 1 + random.below(6) };
    const isFilled = ({ row, column }: { row: number; column: number }) =>
      (row * 7 + column * 3 + seed) % 4 !== 0;
    let selection = at({ row: 0, column: 0 });
    for (let step = 0; step < 40; step += 1) {
      const key = random.one([
        "ArrowUp",
        "ArrowDown",
        "ArrowLeft",
        "ArrowRight",
        "Home",
        "End",
        "PageUp",
        "PageDown",
      ]);
      const held = { shift: random.below(2) === 1, ctrl: random.below(2) === 1 };
      const before = selection;
      selection = moved(selection, { key, ...held }, size, 10, isFilled) ?? selection;

      const area = areaOf(selection);
      expect(area.top).toBeGreaterThanOrEqual(0);
      expect(area.left).toBeGreaterThanOrEqual(0);
      expect(area.bottom).toBeLessThan(size.rows);
      expect(area.right).toBeLessThan(size.columns);
      expect(contains(area, selection.focus)).toBe(true);
      if (held.shift) expect(selection.anchor).toEqual(before.anchor);
      else expect(selection.anchor).toEqual(selection.focus);
    }
  });
});

describe("reading order", () => {
  test("goes on in the next row and ends behind the last cell", () => {
    expect(nextInReadingOrder({ row: 0, column: 4 }, SIZE, false)).toEqual({ row: 1, column: 0 });
    expect(nextInReadingOrder({ row: 1, column: 0 }, SIZE, true)).toEqual({ row: 0, column: 4 });
    expect(nextInReadingOrder({ row: 19, column: 4 }, SIZE, false)).toBeNull();
    expect(nextInReadingOrder({ row: 0, column: 0 }, SIZE, true)).toBeNull();
  });
});
