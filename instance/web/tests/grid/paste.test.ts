import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readTable } from "../../src/grid/clipboard";
import { matchHeader } from "../../src/grid/headers";
import { GridModel } from "../../src/grid/model";
import { matchedCount, pasted, planPaste } from "../../src/grid/paste";
import { blankRows, isBlank, type Rows } from "../../src/grid/table";
import { column, row, SAMPLE_COLUMNS } from "./columns";
import { Random, seeds } from "./random";

const TOP_LEFT = { row: 0, column: 0 };
const texts = (rows: Rows) => rows.map(({ cells }) => cells);
const paste = (rows: Rows, table: string[][], from = TOP_LEFT, language = "en-US") =>
  pasted(rows, SAMPLE_COLUMNS, planPaste(table, SAMPLE_COLUMNS, from), language);

describe("headers", () => {
  test("labels, names, case, accents and units in brackets are matched", () => {
    const mapping = matchHeader(
      ["sample_alias", "VOLUME (µl)", "Colour", "organism*", "collection date"],
      SAMPLE_COLUMNS,
    );

    expect(mapping).toEqual([1, 2, null, 0, 3]);
    expect(matchedCount(mapping ?? [])).toBe(4);
  });

  test("a first row that names few columns is data", () => {
    expect(matchHeader(["Organism", "a", "b", "c"], SAMPLE_COLUMNS)).toBeNull();
    expect(matchHeader(["lake-1", "Escherichia coli"], SAMPLE_COLUMNS)).toBeNull();
  });

  test("of two headers with one name the first counts", () => {
    expect(matchHeader(["Organism", "organism"], SAMPLE_COLUMNS)).toEqual([0, null]);
  });
});

describe("numbers that could be read in two ways", () => {
  const gridWith = (language: string, ...values: string[]): GridModel => {
    const grid = new GridModel(SAMPLE_COLUMNS, blankRows(2, 5), language);
    grid.pasteTable(
      planPaste(
        values.map((value) => [value]),
        SAMPLE_COLUMNS,
        { row: 0, column: 2 },
      ),
    );
    return grid;
  };
  const volumes = (grid: GridModel) => grid.rows.value.map(({ cells }) => cells[2]);
  const told = (grid: GridModel) =>
    grid.paste.value?.guesses.map(({ column: { label }, example, isThousands }) => ({
      label,
      example,
      isThousands,
    }));

  test("are told with what was made of them", () => {
    expect(told(gridWith("de-DE", "12.125", "8.400"))).toEqual([
      { label: "Volume", example: "12.125", isThousands: false },
    ]);
    expect(told(gridWith("de-DE", "12,125"))).toEqual([
      { label: "Volume", example: "12,125", isThousands: false },
    ]);
    expect(told(gridWith("en-US", "12,125"))).toEqual([
      { label: "Volume", example: "12,125", isThousands: null },
    ]);
  });

  test("are not told where the column shows what they are", () => {
    expect(told(gridWith("de-DE", "12.125", "7.5"))).toEqual([]);
    expect(told(gridWith("en-US", "12,125", "1,234,567"))).toEqual([]);
    expect(told(gridWith("en-US", "12", "lake"))).toEqual([]);
  });

  test("are read the other way for the whole column when somebody says so, in one step", () => {
    const grid = gridWith("de-DE", "12.125", "8.400", "900");
    const [guess] = grid.paste.value?.guesses ?? [];
    if (guess === undefined) throw new Error("nothing was guessed");

    grid.reread(guess, true);

    expect(volumes(grid)).toEqual(["12125", "8400", "900"]);
    expect(told(grid)).toEqual([{ label: "Volume", example: "12.125", isThousands: true }]);
    grid.undo();
    expect(volumes(grid)).toEqual(["", ""]);
    expect(grid.canUndo.value).toBe(false);
  });

  test("stay wrong in their cell until somebody says what they are", () => {
    const grid = gridWith("en-US", "12,125");
    const problem = () => grid.problems.value.get(grid.rows.value[0]?.id ?? "")?.get("volume");

    expect(problem()).toContain("12.125 or 12125");
    const [guess] = grid.paste.value?.guesses ?? [];
    if (guess !== undefined) grid.reread(guess, false);
    expect(volumes(grid)).toEqual(["12.125", ""]);
    expect(problem()).toBeUndefined();
  });

  test("a paste that changed nothing is laid anew without taking back what was before", () => {
    const grid = gridWith("en-US", "12.125");
    grid.pasteTable(planPaste([["12.125"]], SAMPLE_COLUMNS, { row: 0, column: 2 }));
    const [guess] = grid.paste.value?.guesses ?? [];

    if (guess !== undefined) grid.reread(guess, true);

    expect(volumes(grid)).toEqual(["12125", ""]);
    grid.undo();
    expect(volumes(grid)).toEqual(["12.125", ""]);
  });
});

describe("a pasted table", () => {
  test.each([
    ["excel-365.txt", "en-US"],
    ["google-sheets.txt", "en-US"],
    ["libreoffice-7.4.txt", "de-DE"],
  ])("of %s lands in the columns that its header names", (file, language) => {
    const table = readTable(readFileSync(new URL(`clipboard/${file}`, import.meta.url), "utf-8"));

    const rows = paste(blankRows(2, 5), table, { row: 0, column: 3 }, language);

    expect(rows).toHaveLength(5);
    expect(rows.map(({ cells }) => cells.slice(1, 4))).toEqual([
      ["lake-1", "1.50", "2026-05-04"],
      ["lake-2", "1250.25", "2026-12-31"],
      ["lake-3", "0.50", "2026-01-02"],
      ["lake-4", "-3.00", ""],
      ["=1+1", "2.00", ""],
    ]);
  });

  test("without a header it lies where the active cell is, and what is beyond the last column is left out", () => {
    const rows = paste(blankRows(2, 5), [["4,5", "2026-05-04", "good", "beyond"]], { row: 1, column: 2 });

    expect(texts(rows)).toEqual([
      ["", "", "", "", ""],
      ["", "", "4.5", "2026-05-04", "good"],
    ]);
  });

  test("a single column fills one column and adds rows", () => {
    const rows = paste(blankRows(1, 5), [["lake-1"], ["lake-2"], ["lake-3"]], { row: 0, column: 1 });

    expect(rows.map(({ cells }) => cells[1])).toEqual(["lake-1", "lake-2", "lake-3"]);
  });

  test("one value fills the whole selection", () => {
    const plan = planPaste([["soil metagenome"]], SAMPLE_COLUMNS, TOP_LEFT);

    const rows = pasted(blankRows(3, 5), SAMPLE_COLUMNS, plan, "en-US", undefined, {
      top: 0,
      left: 0,
      bottom: 2,
      right: 0,
    });

    expect(rows.map(({ cells }) => cells[0])).toEqual(Array(3).fill("soil metagenome"));
  });

  test("into a filtered grid goes to the rows that are seen, then to new ones", () => {
    const before = [row("", "a", "", "", ""), row("", "b", "", "", ""), row("", "c", "", "", "")];
    const plan = planPaste([["x"], ["y"], ["z"]], SAMPLE_COLUMNS, { row: 0, column: 0 });

    const rows = pasted(before, SAMPLE_COLUMNS, plan, "en-US", [0, 2]);

    expect(rows.map(({ cells }) => cells[0])).toEqual(["x", "", "y", "z"]);
  });

  test("a header alone pastes nothing, and is text in a grid", () => {
    const rows = paste(blankRows(1, 5), [["Organism"]]);

    expect(rows[0]?.cells[0]).toBe("Organism");
  });

  test.each(seeds(300))("changes no cell outside of its block, seed %i", (seed) => {
    const random = new Random(seed);
    const columns = Array.from({ length: 1 + random.below(5) }, (_, index) => column(`Column ${index}`));
    const before = Array.from({ length: 1 + random.below(6) }, (_, index) =>
      row(...columns.map((_, place) => `${index}.${place}`)),
    );
    const from = { row: random.below(before.length), column: random.below(columns.length) };
    const width = 1 + random.below(4);
    const table = Array.from({ length: 1 + random.below(6) }, (_, line) =>
      Array.from({ length: width }, (_, place) => `new ${line}.${place}`),
    );

    const after = pasted(before, columns, planPaste(table, columns, from), "en-US");

    expect(after).toHaveLength(Math.max(before.length, from.row + table.length));
    for (const [index, { cells }] of after.entries()) {
      expect(cells).toHaveLength(columns.length);
      for (const [place, text] of cells.entries()) {
        const inside = table[index - from.row]?.[place - from.column];
        expect(text).toBe(inside ?? before[index]?.cells[place] ?? "");
      }
      if (index < from.row) expect(after[index]).toBe(before[index]);
    }
  });

  test("5,000 rows of 12 columns are one paste", () => {
    const columns = Array.from({ length: 12 }, (_, index) => column(`Column ${index}`));
    const table = Array.from({ length: 5000 }, (_, line) => columns.map((_, place) => `${line}.${place}`));

    const rows = pasted(blankRows(8, 12), columns, planPaste(table, columns, TOP_LEFT), "en-US");

    expect(rows).toHaveLength(5000);
    expect(rows.some(isBlank)).toBe(false);
  });
});
