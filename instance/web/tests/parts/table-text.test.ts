import { expect, it } from "vitest";
import { isTable, readTableStart } from "../../src/parts/table-text";

it("reads a table of tabs, in which a quote is a character", () => {
  const read = readTableStart("depth.tsv", 'sample\tdepth\r\nlake 5"\t31.4\n\nsea\t\n', false);

  expect(read).toEqual({
    head: ["sample", "depth"],
    rows: [
      ['lake 5"', "31.4"],
      ["sea", ""],
    ],
    hasMore: false,
  });
});

it("reads quoted cells of a table of commas", () => {
  const read = readTableStart("a.CSV", '\ufeffname,note\n"lake, north","said ""deep""\nthen left"\n', false);

  expect(read.head).toEqual(["name", "note"]);
  expect(read.rows).toEqual([["lake, north", 'said "deep"\nthen left']]);
});

it("gives every row the cells of the longest one", () => {
  expect(readTableStart("a.tsv", "a\n1\t2\t3\n", false)).toEqual({
    head: ["a", "", ""],
    rows: [["1", "2", "3"]],
    hasMore: false,
  });
});

it("leaves out the last line of a file that goes on, since it may end anywhere", () => {
  expect(readTableStart("a.tsv", "a\tb\n1\t2\n3\t", true)).toEqual({
    head: ["a", "b"],
    rows: [["1", "2"]],
    hasMore: true,
  });
});

it("shows 200 rows and says that there are more", () => {
  const long = readTableStart("a.tsv", `a\n${"1\n".repeat(201)}`, false);

  expect(long.rows).toHaveLength(200);
  expect(long.hasMore).toBe(true);
});

it("reads an empty file as a table without cells", () => {
  expect(readTableStart("a.csv", "", false)).toEqual({ head: [], rows: [], hasMore: false });
});

it("knows tables by their names", () => {
  expect(["a.tsv", "b.CSV", "c.html", "tsv"].map(isTable)).toEqual([true, true, false, false]);
});
