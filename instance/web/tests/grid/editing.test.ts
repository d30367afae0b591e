import { describe, expect, test } from "vitest";
import { continued, seriesBetween } from "../../src/grid/fill";
import { findAll, replacements } from "../../src/grid/find";
import { hintsOf } from "../../src/grid/hints";
import { begin, MAX_STEPS, record, redone, undone } from "../../src/grid/history";
import { GridModel } from "../../src/grid/model";
import { duplicated, sorted, withoutRows } from "../../src/grid/order";
import { withChanges } from "../../src/grid/table";
import { scrollFor, windowAt } from "../../src/grid/window";
import { column, row, SAMPLE_COLUMNS } from "./columns";
import { Random, seeds } from "./random";

describe("filling", () => {
  test.each([
    [["lake-1"], ["lake-2", "lake-3"]],
    [["lake-08"], ["lake-09", "lake-10"]],
    [
      ["lake-1", "lake-3"],
      ["lake-5", "lake-7"],
    ],
    [["S1 liver"], ["S2 liver", "S3 liver"]],
    [["10"], ["10", "10"]],
    [
      ["10", "20"],
      ["30", "40"],
    ],
    [
      ["0.1", "0.2"],
      ["0.3", "0.4"],
    ],
    [["2026-02-27"], ["2026-02-28", "2026-03-01"]],
    [
      ["2026-01-01", "2026-01-08"],
      ["2026-01-15", "2026-01-22"],
    ],
    [["soil"], ["soil", "soil"]],
    [
      ["a", "b"],
      ["a", "b"],
    ],
    [
      ["a", ""],
      ["a", ""],
    ],
    [[""], ["", ""]],
  ])("%j goes on with %j", (given, next) => {
    expect(continued(given, 2, true)).toEqual(next);
  });

  test.each([
    ["select", "NovaSeq 6000", { options: ["NovaSeq 6000", "NovaSeq X"] }],
    ["multiselect", "kit 1", { options: ["kit 1", "kit 2"] }],
    ["checkbox", "yes", {}],
    ["organism", "Escherichia coli K-12", {}],
    ["text", "Escherichia coli K-12", { isTaxon: true }],
    ["text", "9606", { follows: "organism" }],
  ] as const)("what is chosen is copied: %s %s", (kind, value, more) => {
    const grid = new GridModel([column("Value", kind, more)], [row(value), row(""), row("")], "en-US");

    grid.fillTo(2);

    expect(grid.rows.value.map(({ cells }) => cells[0])).toEqual([value, value, value]);
  });

  test("what is written goes on, each column by itself", () => {
    const columns = [column("Alias"), column("Instrument", "select", { options: ["NovaSeq 6000"] })];
    const grid = new GridModel(columns, [row("lake-1", "NovaSeq 6000"), row("", "")], "en-US");
    grid.select({ anchor: { row: 0, column: 0 }, focus: { row: 0, column: 1 } });

    grid.fillTo(1);

    expect(grid.rows.value[1]?.cells).toEqual(["lake-2", "NovaSeq 6000"]);
  });

  test("lake-1 to lake-96 are 96 names", () => {
    const series = seriesBetween("lake-1", "lake-96");

    expect(series).toHaveLength(96);
    expect(series?.at(-1)).toBe("lake-96");
    expect(seriesBetween("lake-1", "pond-3")).toBeNull();
    expect(seriesBetween("lake-3", "lake-1")).toBeNull();
  });
});

describe("history", () => {
  test.each(seeds(200))("undo goes back through every state, redo forward again, seed %i", (seed) => {
    const random = new Random(seed);
    let history = begin(0);
    const states = [0];
    for (let step = 1; step <= 1 + random.below(60); step += 1) {
      history = record(history, step);
      states.push(step);
    }

    const back = [history.now];
    while (history.past.length > 0) {
      history = undone(history);
      back.push(history.now);
    }
    expect(back).toEqual(states.toReversed());

    const forward = [history.now];
    while (history.future.length > 0) {
      history = redone(history);
      forward.push(history.now);
    }
    expect(forward).toEqual(states);
  });

  test("keeps 100 steps, and an edit after undo ends the future", () => {
    let history = begin(0);
    for (let step = 1; step <= MAX_STEPS + 50; step += 1) history = record(history, step);
    expect(history.past).toHaveLength(MAX_STEPS);

    history = record(undone(history), -1);
    expect(history.future).toEqual([]);
    expect(undone(begin(0)).now).toBe(0);
    expect(redone(begin(0)).now).toBe(0);
  });
});

describe("find and replace", () => {
  const rows = [row("lake-1", "Lake"), row("pond-1", "lake (deep)")];
  const shown = [0, 1];

  test("finds without case, with it, and whole cells", () => {
    const all = { text: "lake", matchCase: false, wholeCell: false };
    expect(findAll(rows, shown, all)).toHaveLength(3);
    expect(findAll(rows, shown, { ...all, matchCase: true })).toHaveLength(2);
    expect(findAll(rows, shown, { ...all, wholeCell: true })).toEqual([{ row: 0, column: 1 }]);
    expect(findAll(rows, shown, { ...all, text: "(deep" })).toHaveLength(1);
    expect(findAll(rows, shown, { ...all, text: "" })).toEqual([]);
  });

  test("searches only the selected cells, if there are any", () => {
    const query = { text: "lake", matchCase: false, wholeCell: false };
    const within = { top: 0, bottom: 1, left: 1, right: 1 };
    expect(findAll(rows, shown, query, within)).toEqual([
      { row: 0, column: 1 },
      { row: 1, column: 1 },
    ]);
    expect(findAll(rows, [1], query, { ...within, bottom: 0 })).toEqual([{ row: 0, column: 1 }]);
  });

  test("replaces with exactly what was typed", () => {
    const query = { text: "lake", matchCase: false, wholeCell: false };
    const changes = replacements(rows, shown, findAll(rows, shown, query), query, "$&");

    expect(withChanges(rows, changes).map(({ cells }) => cells)).toEqual([
      ["$&-1", "$&"],
      ["pond-1", "$& (deep)"],
    ]);
  });
});

describe("rows", () => {
  const rows = [row("b10"), row(""), row("b9"), row("a")];

  test("sort by numbers in texts, blank ones last both ways", () => {
    expect(sorted(rows, 0, false).map(({ cells }) => cells[0])).toEqual(["a", "b9", "b10", ""]);
    expect(sorted(rows, 0, true).map(({ cells }) => cells[0])).toEqual(["b10", "b9", "a", ""]);
  });

  test("copies stand behind what they copy and are rows of their own", () => {
    const copies = duplicated(rows, [0, 2]);

    expect(copies.map(({ cells }) => cells[0])).toEqual(["b10", "", "b9", "b10", "b9", "a"]);
    expect(new Set(copies.map(({ id }) => id)).size).toBe(6);
  });

  test("deleting keeps the others", () => {
    expect(withoutRows(rows, new Set([1, 3]))).toEqual([rows[0], rows[2]]);
  });
});

describe("hints", () => {
  const reasons = (
    kind: Parameters<typeof column>[1],
    text: string,
    more: Parameters<typeof column>[2] = {},
  ) =>
    hintsOf([row("x", text)], [column("Name"), column("Value", kind, more)])
      .get(`x|${text}`)
      ?.get("value")?.kind;

  test.each([
    ["required", "text", "", { required: true }],
    ["number", "number", "abc", {}],
    ["number", "number", "1,5", {}],
    [undefined, "number", "-1.5e3", {}],
    ["tooSmall", "number", "-1", { min: 0 }],
    [undefined, "number", "0", { min: 0 }],
    ["tooLarge", "number", "11", { max: 10 }],
    ["date", "date", "4/5/2026", {}],
    ["date", "date", "2026-02-31x", {}],
    ["option", "select", "WGX", { options: ["WGS"] }],
    ["option", "multiselect", "WGS; WGX", { options: ["WGS"] }],
    ["flag", "checkbox", "maybe", {}],
    ["tooLong", "text", "a".repeat(256), {}],
    [undefined, "text", "a".repeat(255), {}],
    ["tooShort", "text", "ab", { minLength: 3 }],
    ["pattern", "text", "ab", { pattern: "[0-9]+" }],
    [undefined, "text", "12", { pattern: "[0-9]+" }],
    [undefined, "text", "anything", { pattern: "(?P<year>[0-9]+)" }],
    [undefined, "text", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", { pattern: "(a+)+" }],
  ] as const)("%s for %s %j", (reason, kind, text, more) => {
    expect(reasons(kind, text, more)).toBe(reason);
  });

  test("two samples with one alias point at each other, and blank rows have no hints", () => {
    const rows = [
      row("Escherichia coli", "a", "", "", ""),
      row("", "", "", "", ""),
      row("Bacillus", "a", "", "", ""),
    ];

    const hints = hintsOf(rows, SAMPLE_COLUMNS);

    expect(hints.get(rows[0]?.id ?? "")?.get("sample alias")).toEqual({ kind: "duplicate", otherRow: 3 });
    expect(hints.get(rows[2]?.id ?? "")?.get("sample alias")).toEqual({ kind: "duplicate", otherRow: 1 });
    expect(hints.size).toBe(2);
  });
});

describe("window", () => {
  test.each(seeds(300))("holds every row that is seen, and few more, seed %i", (seed) => {
    const random = new Random(seed);
    const [rowHeight, rows] = [28 + random.below(20), random.below(6000)];
    const height = 100 + random.below(800);
    const scrolled = random.below(Math.max(1, rows * rowHeight - height));

    const { first, end } = windowAt(scrolled, height, rowHeight, rows);

    expect(first * rowHeight).toBeLessThanOrEqual(scrolled);
    expect(end * rowHeight).toBeGreaterThanOrEqual(Math.min(scrolled + height, rows * rowHeight));
    expect(end - first).toBeLessThanOrEqual(Math.ceil(height / rowHeight) + 50);
  });

  test("scrolls only as far as needed", () => {
    expect(scrollFor(10, 0, 500, 36, 36)).toBe(0);
    expect(scrollFor(20, 0, 500, 36, 36)).toBe(21 * 36 - 464);
    expect(scrollFor(3, 500, 500, 36, 36)).toBe(108);
  });
});
