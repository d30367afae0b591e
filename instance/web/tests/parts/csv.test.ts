import { expect, it } from "vitest";
import { toCsv } from "../../src/parts/csv";

const body = (rows: (string | number)[][]) => toCsv(rows).slice(1);

it("quotes commas, quotes and line breaks", () => {
  expect(body([["a,b", 'say "x"', "two\nlines", 7]])).toBe('"a,b","say ""x""","two\nlines",7\r\n');
});

it.each(["=1+1", "+1", "-1", "@sum", "\tx", "'=1"])("keeps a spreadsheet from running %j", (text) => {
  expect(body([[text]])).toBe(`'${text}\r\n`);
});

it("leaves numbers as numbers", () => {
  expect(body([[-3]])).toBe("-3\r\n");
});
