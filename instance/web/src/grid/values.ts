/**
 * How a text that somebody typed or pasted is written in a cell: numbers with a point, dates as 2026-05-04,
 * options as the form writes them. What is not understood stays as it is; the server says what is wrong.
 */
import { folded, readNumber, type Thousands, thousandsShownBy } from "./numbers";
import type { Column } from "./table";

/** How numbers and dates of one pasted column, or of one typed cell, are to be read. */
export interface Reading {
  readonly thousands: Thousands;
  readonly dayFirst: boolean;
  readonly months: ReadonlyMap<string, number>;
}

/** Of texts that may be numbers, those that are one: `50 6` are two, and one with a point is well as it is. */
const MEASURED = /^[+−-]?(?:[0-9]+(?:,[0-9]+)?|,[0-9]+)(?:[eE][+-]?[0-9]{1,3})?(?:\s*[^0-9\s.,].*)?$/u;
const LINE_END = /[\r\n]/;
const YEAR_FIRST = /^([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})\.?$/;
const YEAR_LAST = /^([0-9]{1,2})[-/.]\s?([0-9]{1,2})[-/.]\s?([0-9]{4}|[0-9]{2})$/;
const DAY_MONTH = /^([0-9]{1,2})\.?[\s-]+(\p{L}+)\.?,?[\s-]+([0-9]{4}|[0-9]{2})$/u;
const MONTH_DAY = /^(\p{L}+)\.?\s+([0-9]{1,2}),?\s+([0-9]{4})$/u;

/** Decide how the texts of one column are to be read: by what they show, else as the reader's country does. */
export function readingOf(
  { kind, unit, isMeasured }: Column,
  shown: () => readonly string[],
  language: string,
): Reading {
  if (kind !== "number" && kind !== "date" && !isMeasured) return PLAIN;
  const texts = shown();
  return {
    thousands: thousandsShownBy(texts, unit, language),
    dayFirst: dayFirstShownBy(texts) ?? isDayFirst(language),
    months: monthNames(language),
  };
}

const PLAIN: Reading = { thousands: { ".": false, ",": null }, dayFirst: false, months: new Map() };

/** Return the text that a cell of this column gets. */
export function cellFor(column: Column, typed: string, reading: Reading): string {
  const hasLines = column.kind !== "longText" && LINE_END.test(typed);
  const text = (hasLines ? typed.replaceAll(/\s*[\r\n]+\s*/g, " ") : typed).trim();
  if (text === "") return "";
  switch (column.kind) {
    case "number":
      return readNumber(text, column.unit, reading.thousands) ?? text;
    case "date":
      return readDate(text, reading) ?? text;
    case "select":
      return optionFor(column.options, text);
    case "multiselect":
      return text
        .split(";")
        .map((part) => optionFor(column.options, part.trim()))
        .filter((part) => part !== "")
        .join("; ");
    case "checkbox":
      return FLAGS.get(text.toLowerCase()) ?? text;
    default:
      return column.isMeasured && MEASURED.test(text)
        ? (readNumber(text, column.unit, reading.thousands) ?? text)
        : text;
  }
}

const FLAGS = new Map([
  ["true", "yes"],
  ["yes", "yes"],
  ["1", "yes"],
  ["x", "yes"],
  ["false", "no"],
  ["no", "no"],
  ["0", "no"],
]);

function optionFor(options: readonly string[], text: string): string {
  if (options.includes(text)) return text;
  const wanted = folded(text);
  const same = options.filter((option) => folded(option) === wanted);
  return same.length === 1 && same[0] !== undefined ? same[0] : text;
}

function readDate(text: string, reading: Reading): string | null {
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) return isoDate(yearFirst[1], yearFirst[2], yearFirst[3]);
  const numbers = YEAR_LAST.exec(text);
  if (numbers !== null) {
    const [, first, second, year] = numbers;
    return reading.dayFirst || text.includes(".")
      ? isoDate(year, second, first)
      : isoDate(year, first, second);
  }
  const dayMonth = DAY_MONTH.exec(text);
  if (dayMonth !== null) return isoDate(dayMonth[3], monthOf(dayMonth[2], reading), dayMonth[1]);
  const monthDay = MONTH_DAY.exec(text);
  return monthDay === null ? null : isoDate(monthDay[3], monthOf(monthDay[1], reading), monthDay[2]);
}

function monthOf(name: string | undefined, reading: Reading): string | undefined {
  const month = reading.months.get((name ?? "").toLowerCase());
  return month === undefined ? undefined : String(month);
}

function isoDate(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): string | null {
  if (year === undefined || month === undefined || day === undefined) return null;
  const full = year.length === 2 ? Number(year) + (Number(year) < 70 ? 2000 : 1900) : Number(year);
  const date = new Date(Date.UTC(full, Number(month) - 1, Number(day)));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  return date.toISOString().slice(0, 10);
}

function dayFirstShownBy(texts: readonly string[]): boolean | null {
  for (const text of texts) {
    const found = YEAR_LAST.exec(text.trim());
    if (found === null) continue;
    if (Number(found[1]) > 12) return true;
    if (Number(found[2]) > 12) return false;
  }
  return null;
}

function isDayFirst(language: string): boolean {
  const order = new Intl.DateTimeFormat(language).formatToParts(new Date(0)).map(({ type }) => type);
  return order.indexOf("day") < order.indexOf("month");
}

const monthsByLanguage = new Map<string, ReadonlyMap<string, number>>();

function monthNames(language: string): ReadonlyMap<string, number> {
  const known = monthsByLanguage.get(language);
  if (known !== undefined) return known;
  const names = new Map<string, number>();
  for (const locale of [language, "en"]) {
    for (const month of ["short", "long"] as const) {
      const format = new Intl.DateTimeFormat(locale, { month, day: "numeric", timeZone: "UTC" });
      for (let index = 0; index < 12; index += 1) {
        const parts = format.formatToParts(new Date(Date.UTC(2026, index, 1)));
        const name = parts
          .find(({ type }) => type === "month")
          ?.value.toLowerCase()
          .replace(/\.$/, "");
        if (name !== undefined && !names.has(name)) names.set(name, index + 1);
      }
    }
  }
  names.set("sept", 9);
  monthsByLanguage.set(language, names);
  return names;
}
