import { describe, expect, test } from "vitest";
import { GridModel } from "../../src/grid/model";
import { planPaste } from "../../src/grid/paste";
import type { Column } from "../../src/grid/table";
import { column, row } from "./columns";

const COLUMNS: readonly Column[] = [
  column("Organism", "organism"),
  column("Taxonomy id", "text", { follows: "organism" }),
  column("Title"),
];
const human = () => row("Homo sapiens", "9606", "x");
const gridOf = (...rows: ReturnType<typeof row>[]) => new GridModel(COLUMNS, rows, "en-US");
const cells = (grid: GridModel, index = 0) => grid.rows.value[index]?.cells;
const paste = (grid: GridModel, ...table: string[][]) =>
  grid.pasteTable(planPaste(table, COLUMNS, { row: 0, column: 0 }));

describe("the id of an organism", () => {
  test.each([
    ["typed", (grid: GridModel) => grid.type({ row: 0, column: 0 }, "Mus musculus")],
    ["pasted", (grid: GridModel) => paste(grid, ["Mus musculus"])],
    ["filled", (grid: GridModel) => grid.fillWith("Mus musculus", ({ kind }) => kind === "organism")],
    ["replaced", (grid: GridModel) => grid.replace([{ row: 0, column: 0, text: "Mus musculus" }])],
  ])("goes when another organism is %s, and comes back by undo", (_how, edit) => {
    const grid = gridOf(human());

    edit(grid);

    expect(cells(grid)).toEqual(["Mus musculus", "", "x"]);
    grid.undo();
    expect(cells(grid)).toEqual(["Homo sapiens", "9606", "x"]);
  });

  test("goes when another organism is filled down over it", () => {
    const grid = gridOf(row("Mus musculus", "10090", "a"), human());
    grid.select({ anchor: { row: 0, column: 0 }, focus: { row: 0, column: 0 } });

    grid.fillTo(1);

    expect(cells(grid, 1)).toEqual(["Mus musculus", "", "x"]);
  });

  test("goes with the organism", () => {
    const grid = gridOf(human());
    grid.clear();

    expect(cells(grid)).toEqual(["", "", "x"]);
  });

  test("stays when it is part of the same edit, also as the same text", () => {
    const grid = gridOf(human());
    paste(grid, ["Human", "9606"]);
    expect(cells(grid)).toEqual(["Human", "9606", "x"]);

    grid.choose(
      0,
      new Map([
        ["organism", "Mus musculus"],
        ["taxonomy id", "10090"],
      ]),
    );
    expect(cells(grid)).toEqual(["Mus musculus", "10090", "x"]);
  });

  test("stays when the name comes to it, is written in other letters, or another cell changes", () => {
    const grid = gridOf(row("", "9606", "x"));
    grid.type({ row: 0, column: 0 }, "homo sapiens");
    grid.type({ row: 0, column: 0 }, "Homo sapiens");
    grid.type({ row: 0, column: 2 }, "y");

    expect(cells(grid)).toEqual(["Homo sapiens", "9606", "y"]);
  });

  test("is not touched by what is taken from elsewhere", () => {
    const grid = gridOf(human());
    grid.take([{ row: 0, column: 0, text: "Mus musculus" }]);

    expect(cells(grid)).toEqual(["Mus musculus", "9606", "x"]);
  });
});
