/**
 * Numbers as people write them. `12.125` and `12,125` could be twelve or twelve thousand: what such a mark is, the
 * other values of a column show, or a person says. A wrong guess would be a wrong number in a record.
 */

export type Mark = "." | ",";

/** Whether a mark before three digits separates thousands; null is not known, and leaves the text as it is. */
export type Thousands = Readonly<Record<Mark, boolean | null>>;

interface Written {
  readonly sign: string;
  readonly whole: string;
  readonly fraction: string;
  readonly exponent: string;
  readonly decimal: Mark | null;
  readonly thousands: Mark | null;
  /** The only mark, where it could be either. */
  readonly open: Mark | null;
}

/** A text that could be two numbers. */
export interface TwoWays {
  readonly mark: Mark;
  readonly decimal: string;
  readonly thousands: string;
}

/** What marks of a column are guessed to be; `example` is the first text that hangs on it. */
export interface Guess extends TwoWays {
  readonly example: string;
}

const NUMBER = /^([+-]?)([0-9][0-9.,'’\s]*|[.,][0-9]+)((?:[eE][+-]?[0-9]{1,3})?)$/u;
const NUMBER_WITH_UNIT = /^([+-]?[0-9][0-9.,'’\s]*)\s*([^0-9\s].*)$/u;
const THOUSANDS = /^[0-9]{1,3}(?:[.,][0-9]{3})+$/;

/** Return the number as the service takes it; null when it is none, or could be two. */
export function readNumber(text: string, unit: string | undefined, thousands: Thousands): string | null {
  const written = writtenIn(text, unit);
  if (written === null) return null;
  const isThousands = written.open !== null && thousands[written.open];
  return isThousands === null ? null : numberOf(written, isThousands);
}

/** Return a number that stands alone as the service takes it, and any other text as it is. */
export function readAlone(text: string, unit: string | undefined, language: string): string {
  return readNumber(text, unit, thousandsShownBy([text], unit, language)) ?? text.trim();
}

export function twoWaysOf(text: string, unit: string | undefined): TwoWays | null {
  const written = writtenIn(text, unit);
  if (written === null || written.open === null) return null;
  return { mark: written.open, decimal: numberOf(written, false), thousands: numberOf(written, true) };
}

/**
 * Decide what the marks of a column are. Only a value that has both, or one of them twice, shows separators of
 * thousands. Where nothing is shown a point is decimal, and a comma is where the reader's country writes it so.
 */
export function thousandsShownBy(
  texts: readonly string[],
  unit: string | undefined,
  language: string,
): Thousands & { readonly guessed: ReadonlySet<Mark> } {
  const shown = { decimal: new Set<Mark>(), thousands: new Set<Mark>(), open: new Set<Mark>() };
  for (const text of texts) {
    const written = writtenIn(text, unit);
    if (written === null) continue;
    if (written.open !== null) shown.open.add(written.open);
    else if (written.decimal !== null) shown.decimal.add(written.decimal);
    if (written.thousands !== null) {
      shown.thousands.add(written.thousands);
      shown.decimal.add(written.thousands === "." ? "," : ".");
    }
  }
  const isShown = (mark: Mark): boolean => shown.decimal.has(mark) !== shown.thousands.has(mark);
  const isContradicted = shown.decimal.has(",") || shown.decimal.has(".") || shown.open.has(".");
  const comma = isContradicted || !hasDecimalComma(language) ? null : false;
  return {
    ".": isShown(".") && shown.thousands.has("."),
    ",": isShown(",") ? shown.thousands.has(",") : comma,
    guessed: new Set([...shown.open].filter((mark) => !isShown(mark))),
  };
}

/** Return what has to be guessed to read a column, with an example of each mark. */
export function guessesIn(texts: readonly string[], unit: string | undefined, language: string): Guess[] {
  const { guessed } = thousandsShownBy(texts, unit, language);
  return [...guessed].flatMap((mark) => {
    for (const example of texts) {
      const ways = twoWaysOf(example, unit);
      if (ways?.mark === mark) return [{ ...ways, example: example.trim() }];
    }
    return [];
  });
}

function writtenIn(text: string, unit: string | undefined): Written | null {
  const trimmed = text.trim().replace("−", "-");
  const [, before, after] = NUMBER_WITH_UNIT.exec(trimmed) ?? [];
  const hasUnit = before !== undefined && unit !== undefined && folded(after ?? "") === folded(unit);
  const found = NUMBER.exec(hasUnit ? before.trim() : trimmed);
  if (found === null) return null;
  const [, sign = "", spaced = "", exponent = ""] = found;
  const digits = spaced.replaceAll(/['’\s]/g, "");
  const [last, ...earlier] = [...digits].filter(isMark).reverse();
  const isDecimal = last !== undefined && !earlier.includes(last);
  const [whole = "", fraction = ""] = isDecimal ? digits.split(last) : [digits];
  const marks = new Set([...whole].filter(isMark));
  const [thousands = null] = marks;
  if (thousands !== null && (marks.size > 1 || !THOUSANDS.test(whole))) return null;
  const isOpen = thousands === null && /^[1-9][0-9]{0,2}$/.test(whole) && fraction.length === 3;
  return {
    sign: sign === "-" ? "-" : "",
    whole: whole.replaceAll(/[.,]/g, ""),
    fraction,
    exponent,
    decimal: isDecimal ? last : null,
    thousands,
    open: isDecimal && isOpen && exponent === "" ? last : null,
  };
}

function numberOf({ sign, whole, fraction, exponent }: Written, isThousands: boolean): string {
  if (isThousands) return `${sign}${whole}${fraction}`;
  return `${sign}${whole === "" ? "0" : whole}${fraction === "" ? "" : `.${fraction}`}${exponent}`;
}

function isMark(character: string): character is Mark {
  return character === "." || character === ",";
}

function hasDecimalComma(language: string): boolean {
  return new Intl.NumberFormat(language).formatToParts(1.5).some(({ value }) => value === ",");
}

/** Words as they are compared: without regard to case, spaces and hyphens. */
export function folded(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]+/g, "");
}
