/** Continuing what is there: one value, a series of numbers, dates, or texts that end in a number. */

import type { Column, Kind } from "./table";

const COUNTED: ReadonlySet<Kind> = new Set(["text", "longText", "number", "date", "barcode"]);
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/;
const ISO_DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const NUMBERED = /^(.*?)([0-9]+)(\D*)$/su;
const DAY = 86_400_000;

/** Whether values of a column may go on by counting. What is chosen, and what names an organism, is copied. */
export function counts(column: Column | undefined): boolean {
  if (column === undefined || column.isTaxon === true || column.follows !== undefined) return false;
  return COUNTED.has(column.kind) && column.options.length === 0;
}

/** Return the `count` values that follow `given`, which is what the fill handle drags. */
export function continued(given: readonly string[], count: number, isCounted: boolean): string[] {
  const series = isCounted ? seriesOf(given) : null;
  const next = series ?? ((index: number) => given[index % given.length] ?? "");
  return Array.from({ length: count }, (_, index) => next(given.length + index));
}

type Series = (index: number) => string;

function seriesOf(given: readonly string[]): Series | null {
  if (given.length === 0 || given.some((text) => text === "")) return null;
  return dates(given) ?? numbers(given) ?? numberedTexts(given);
}

function numbers(given: readonly string[]): Series | null {
  const values = given.map(Number);
  if (!given.every((text) => NUMBER.test(text)) || given.length < 2) return null;
  const places = Math.max(...given.map((text) => text.split(".")[1]?.length ?? 0));
  return arithmetic(values, (value) => value.toFixed(places), 10 ** -places / 2);
}

function dates(given: readonly string[]): Series | null {
  if (!given.every((text) => ISO_DATE.test(text))) return null;
  const days = given.map((text) => Date.parse(text) / DAY);
  if (days.some(Number.isNaN)) return null;
  const text = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);
  return arithmetic(days, text, 0, 1);
}

function numberedTexts(given: readonly string[]): Series | null {
  const parts = given.map((text) => NUMBERED.exec(text));
  const [first] = parts;
  if (first === null || first === undefined || given.every((text) => NUMBER.test(text))) return null;
  const [, before = "", digits = "", after = ""] = first;
  if (!parts.every((part) => part !== null && part[1] === before && part[3] === after)) return null;
  const values = parts.map((part) => Number(part?.[2]));
  if (values.some((value) => !Number.isSafeInteger(value))) return null;
  const width = digits.startsWith("0") ? digits.length : 0;
  return arithmetic(
    values,
    (value) => `${before}${String(Math.max(0, value)).padStart(width, "0")}${after}`,
    0,
    1,
  );
}

function arithmetic(
  values: readonly number[],
  text: (value: number) => string,
  tolerance: number,
  alone?: number,
): Series | null {
  const [first, second] = values;
  if (first === undefined) return null;
  const step = second === undefined ? alone : second - first;
  if (step === undefined) return null;
  const isEven = values.every((value, index) => Math.abs(value - (first + step * index)) <= tolerance);
  return isEven ? (index) => text(first + step * index) : null;
}

/** Return the values of `lake-1 … lake-96`: what a series between two ends holds; null when there is none. */
export function seriesBetween(first: string, last: string): string[] | null {
  const from = NUMBERED.exec(first);
  const to = NUMBERED.exec(last);
  if (from === null || to === null || from[1] !== to[1] || from[3] !== to[3]) return null;
  const [begin, end] = [Number(from[2]), Number(to[2])];
  if (end < begin || end - begin > 100_000) return null;
  const series = seriesOf([first]) ?? ((index: number) => String(begin + index));
  return Array.from({ length: end - begin + 1 }, (_, index) => series(index));
}
