import { expect, test } from "vitest";
import {
  arrange,
  barAt,
  type GanttBar,
  panned,
  showing,
  stepped,
  ticks,
  wholeOf,
  zoomed,
} from "../../src/parts/gantt-scale";

const bar = (id: string, lane: string, from: number | null, to: number | null, more = {}): GanttBar => ({
  id,
  lane,
  label: id,
  waitsFrom: from,
  from,
  to,
  state: "ok",
  ...more,
});

test("bars of a lane that overlap stand below each other, and a free row is used again", () => {
  const { lanes, rows } = arrange([bar("a", "x", 0, 10), bar("b", "x", 5, 12), bar("c", "x", 11, 20)], 20);

  expect(lanes[0]?.bars.map(({ row }) => row)).toEqual([0, 1, 0]);
  expect(rows).toBe(2);
});

test("a lane with something wrong comes first, others as they began", () => {
  const found = arrange([bar("a", "x", 0, 1), bar("b", "y", 5, 6), bar("c", "z", 3, 4, { state: "bad" })], 9);

  expect(found.lanes.map(({ name }) => name)).toEqual(["z", "x", "y"]);
});

test("what is not over reaches until now, and what never began is a point or nothing", () => {
  const found = arrange(
    [
      bar("open", "x", 1, null, { state: "run" }),
      bar("lost", "x", 2, null, { state: "calm" }),
      bar("none", "x", null, null),
    ],
    50,
  );

  expect(found.lanes[0]?.bars.map(({ start, end }) => [start, end])).toEqual([
    [1, 50],
    [2, 2],
  ]);
});

test("nothing at all and a single point have a stretch of time too", () => {
  for (const bars of [[], [bar("a", "x", 7, 7)]]) {
    const whole = wholeOf(arrange(bars, 7));
    expect(whole.to).toBeGreaterThan(whole.from);
  }
});

test("thousands at once stay in a few rows, and hundreds of lanes in a picture", () => {
  const many = Array.from({ length: 5000 }, (_, n) => bar(`${n}`, "x", 0, 10));
  expect(arrange(many, 10).rows).toBe(12);
  const lanes = Array.from({ length: 200 }, (_, n) => bar(`${n}`, `lane ${n}`, n, n + 1));
  expect(arrange(lanes, 200)).toMatchObject({ hidden: 140, rows: 60 });
});

test("zoom keeps the time under the pointer, and never shows more than there is", () => {
  const whole = { from: 0, to: 100 };
  const near = zoomed(whole, 2, 25, whole);

  expect(near).toEqual({ from: 12.5, to: 62.5 });
  expect((25 - near.from) / (near.to - near.from)).toBe(0.25);
  expect(zoomed(near, 0.1, 25, whole)).toBe(whole);
  expect(panned(near, -5, whole)).toEqual({ from: 0, to: 50 });
  expect(panned(near, 5, whole)).toEqual({ from: 50, to: 100 });
});

test("the view follows a bar as little as it has to", () => {
  const whole = { from: 0, to: 100 };
  const view = { from: 20, to: 40 };

  expect(showing(view, { start: 25, end: 30 }, whole)).toBe(view);
  expect(showing(view, { start: 10, end: 15 }, whole)).toEqual({ from: 10, to: 30 });
  expect(showing(view, { start: 50, end: 55 }, whole)).toEqual({ from: 35, to: 55 });
  expect(showing(view, { start: 0, end: 100 }, whole)).toBe(view);
});

test("ticks are at round distances and few", () => {
  expect(ticks({ from: 3, to: 23 }, 0, 5)).toEqual([5, 10, 15, 20]);
  expect(ticks({ from: 0, to: 10 * 86_400 }, 0, 5).length).toBeLessThanOrEqual(6);
});

test("the cursor walks along a lane, between lanes and to the ends", () => {
  const layout = arrange([bar("a", "x", 0, 1), bar("b", "x", 5, 6), bar("c", "y", 4, 6)], 9);
  const at = (from: string | null, step: Parameters<typeof stepped>[2]) =>
    stepped(layout, from, step)?.bar.id;

  expect([at(null, "next"), at("a", "next"), at("b", "next")]).toEqual(["a", "b", "b"]);
  expect([at("b", "down"), at("c", "up"), at("c", "down")]).toEqual(["c", "b", "c"]);
  expect([at("b", "first"), at("a", "last"), at("a", "previous")]).toEqual(["a", "c", "a"]);
  expect(stepped(arrange([], 0), null, "next")).toBeNull();
});

test("the shortest bar is hit where several lie over each other", () => {
  const layout = arrange([bar("a", "x", 0, 10), bar("b", "y", 2, 3)], 9);

  expect(barAt(layout, 5, 0, 0)?.bar.id).toBe("a");
  expect(barAt(layout, 5, 1, 0)).toBeNull();
  expect(barAt(layout, 3.4, 1, 0.5)?.bar.id).toBe("b");
  expect(barAt(layout, 5, 9, 0)).toBeNull();
});
