import { describe, expect, test } from "vitest";
import { readAlone } from "../../src/grid/numbers";
import { cellFor, readingOf } from "../../src/grid/values";
import { column } from "./columns";

const VALUE = { number: column("Value", "number", { unit: "µl" }), date: column("Value", "date") };
const read = (kind: "number" | "date", text: string, language = "en-US", among: string[] = [text]) =>
  cellFor(
    VALUE[kind],
    text,
    readingOf(VALUE[kind], () => among, language),
  );

describe("numbers", () => {
  test.each([
    ["1,5", "1.5"],
    ["1.5", "1.5"],
    ["1.250,25", "1250.25"],
    ["1,250.25", "1250.25"],
    ["1 250,5", "1250.5"],
    ["1'250.5", "1250.5"],
    ["1,234,567", "1234567"],
    ["-3,00", "-3.00"],
    ["−3", "-3"],
    ["+4", "4"],
    [",5", "0.5"],
    ["0,125", "0.125"],
    ["5 µl", "5"],
    ["5,5µl", "5.5"],
    ["1e-3", "1e-3"],
    ["abc", "abc"],
    ["1.2.3", "1.2.3"],
    ["5 ml", "5 ml"],
  ])("%j is stored as %j", (text, stored) => {
    expect(read("number", text)).toBe(stored);
  });

  test.each(["en-US", "de-DE"])("a point before three digits is the decimal point in %s", (language) => {
    expect(read("number", "12.125", language)).toBe("12.125");
    expect(read("number", "12.125", language, ["12.125", "8.400"])).toBe("12.125");
    expect(read("number", "12.125", language, ["12.125", "7,5"])).toBe("12.125");
  });

  test.each([
    ["1.234.567", "12125"],
    ["1.250,5", "12125"],
    ["n.a.b", "12.125"],
  ])("a point before three digits in a column with %s makes it %s", (other, stored) => {
    expect(read("number", "12.125", "en-US", ["12.125", other])).toBe(stored);
    expect(read("number", "12.125", "de-DE", [other, "12.125"])).toBe(stored);
  });

  test("a comma before three digits is a decimal one where people write that, elsewhere it stays", () => {
    expect(read("number", "12,125", "de-DE")).toBe("12.125");
    expect(read("number", "12,125", "en-US")).toBe("12,125");
  });

  test.each([
    ["7,5", "12.125"],
    ["0,125", "12.125"],
    ["1.250,5", "12.125"],
    ["1.234.567", "12.125"],
    ["1,234,567", "12125"],
    ["1,250.5", "12125"],
    ["7.5", "12,125"],
    ["8.400", "12,125"],
  ])("a comma before three digits in a column with %s makes it %s", (other, stored) => {
    for (const language of ["en-US", "de-DE"])
      expect(read("number", "12,125", language, ["12,125", other])).toBe(stored);
  });

  test.each(["1234,567", "0,125", "12,125e3", ",125", "12,1250"])("%s can be read in one way", (text) => {
    expect(Number(read("number", text))).toBe(Number(text.replace(",", ".")));
  });
});

test("a number of an order's question is read as a cell is", () => {
  expect(readAlone(" 1.250,5 µl", "µl", "en-US")).toBe("1250.5");
  expect(readAlone("12,125", undefined, "de-DE")).toBe("12.125");
  expect(readAlone("12,125", undefined, "en-US")).toBe("12,125");
});

describe("dates", () => {
  test.each([
    ["2026-05-04", "2026-05-04"],
    ["2026/5/4", "2026-05-04"],
    ["04.05.2026", "2026-05-04"],
    ["4. 5. 2026", "2026-05-04"],
    ["4 May 2026", "2026-05-04"],
    ["04-May-26", "2026-05-04"],
    ["May 4, 2026", "2026-05-04"],
    ["4 Sept 2026", "2026-09-04"],
    ["31.02.2026", "31.02.2026"],
    ["not collected", "not collected"],
  ])("%j is stored as %j", (text, stored) => {
    expect(read("date", text)).toBe(stored);
  });

  test.each([
    ["en-US", "2026-04-05"],
    ["en-GB", "2026-05-04"],
  ])("4/5/2026 is read as %s writes dates", (language, stored) => {
    expect(read("date", "4/5/2026", language)).toBe(stored);
  });

  test("a day above 12 elsewhere in the column decides the order", () => {
    expect(read("date", "4/5/2026", "en-US", ["4/5/2026", "31/12/2026"])).toBe("2026-05-04");
    expect(read("date", "4/5/2026", "en-GB", ["4/5/2026", "12/31/2026"])).toBe("2026-04-05");
  });

  test("months are known in the reader's language and in English", () => {
    expect(read("date", "4. Mai 2026", "de-DE")).toBe("2026-05-04");
    expect(read("date", "4 May 2026", "de-DE")).toBe("2026-05-04");
  });
});

describe("choices", () => {
  const reading = readingOf(column("Strategy", "select"), () => [], "en-US");
  const options = ["RNA-Seq", "AMPLICON", "Other"];

  test.each([
    ["rna seq", "RNA-Seq"],
    ["amplicon", "AMPLICON"],
    ["WGS", "WGS"],
  ])("%j becomes %j", (text, stored) => {
    expect(cellFor(column("Strategy", "select", { options }), text, reading)).toBe(stored);
  });

  test("several choices are told apart by semicolons", () => {
    expect(cellFor(column("Strategy", "multiselect", { options }), "other;rna-seq;", reading)).toBe(
      "Other; RNA-Seq",
    );
  });

  test("a line break stays only where a field has lines", () => {
    expect(cellFor(column("Alias"), "a\nb", reading)).toBe("a b");
    expect(cellFor(column("Notes", "longText"), "a\nb", reading)).toBe("a\nb");
  });
});

describe("texts that are measured", () => {
  const depth = column("Depth", "text", { unit: "m", isMeasured: true });
  const written = (typed: string): string =>
    cellFor(
      depth,
      typed,
      readingOf(depth, () => [typed], "de-DE"),
    );

  test.each([
    ["0,2", "0.2"],
    ["-54,32", "-54.32"],
    ["0,2 m", "0.2"],
    ["12", "12"],
    ["47.003", "47.003"],
    ["0,2 mm", "0,2 mm"],
    ["50 6", "50 6"],
    ["20,30,50", "20,30,50"],
    ["20/30/50", "20/30/50"],
    ["not collected", "not collected"],
    ["0,5-1,2", "0,5-1,2"],
  ])("%s is written %s", (typed, expected) => {
    expect(written(typed)).toBe(expected);
  });

  test("other texts stay", () => {
    const text = column("Site", "text");
    expect(
      cellFor(
        text,
        "0,2",
        readingOf(text, () => ["0,2"], "de-DE"),
      ),
    ).toBe("0,2");
  });
});
