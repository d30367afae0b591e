import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readTable, writeTable } from "../../src/grid/clipboard";
import { Random, seeds } from "./random";

const copied = (file: string) =>
  readTable(readFileSync(new URL(`clipboard/${file}`, import.meta.url), { encoding: "utf-8" }));

const NAMES = ["Sample alias", "lake-1", "lake-2", "lake-3", "lake-4", "=1+1"];

describe("what spreadsheets put on the clipboard", () => {
  test.each(["excel-365.txt", "google-sheets.txt", "libreoffice-7.4.txt"])(
    "%s has six rows of five cells",
    (file) => {
      const table = copied(file);

      expect(table.map((cells) => cells[0])).toEqual(NAMES);
      expect(table.every((cells) => cells.length === 5)).toBe(true);
    },
  );

  test.each([
    ["excel-365.txt", ["two\nlines", '5" pipe', '"quoted"', 'a "b"\nc', "tab\there"]],
    ["google-sheets.txt", ["two\nlines", '5" pipe', '"quoted"', 'a "b"\nc', "tab\there"]],
    ["libreoffice-7.4.txt", ["two lines", '5" pipe', '"quoted"', 'a "b" c', "tab here"]],
  ])("%s keeps quotes and breaks as the program gives them", (file, comments) => {
    const table = copied(file);

    expect(table.slice(1).map((cells) => cells[4])).toEqual(comments);
  });
});

describe("reading a clipboard text", () => {
  test.each([
    ["", []],
    ["a", [["a"]]],
    ["a\n", [["a"]]],
    ["a\nb\n", [["a"], ["b"]]],
    ["a\n\nb", [["a"], [""], ["b"]]],
    ["a\t\n", [["a", ""]]],
    ["\t", [["", ""]]],
    ["a\r\nb\rc", [["a"], ["b"], ["c"]]],
    ["\uFEFFa\tb", [["a", "b"]]],
    ['"a\nb"\tc', [["a\nb", "c"]]],
    ['"a\r\nb"', [["a\nb"]]],
    ['"not closed\tb', [['"not closed', "b"]]],
    ['"a" and b\tc', [['"a" and b', "c"]]],
    ['""', [['""']]],
  ])("%j", (text, table) => {
    expect(readTable(text)).toEqual(table);
  });

  test.each(seeds(500))("what is copied comes back, seed %i", (seed) => {
    const random = new Random(seed);
    const width = 1 + random.below(4);
    const table = Array.from({ length: 1 + random.below(6) }, () =>
      Array.from({ length: width }, () => random.text(['"', "\t", "\n", "a", "é", " ", ",", "="], 5)),
    );

    expect(readTable(`${writeTable(table)}\r\n`)).toEqual(table);
  });
});
