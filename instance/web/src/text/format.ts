/** Numbers, sizes and times as people write them. Everything goes through the language of the page. */

const LANGUAGE = "en-GB";

const wholeNumber = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 0 });
const upToOneDigit = new Intl.NumberFormat(LANGUAGE, { maximumFractionDigits: 1 });
const dayAndTime = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "long", timeStyle: "medium" });
const dayAndMinute = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "long", timeStyle: "short" });
const shortDay = new Intl.DateTimeFormat(LANGUAGE, { day: "numeric", month: "short" });
const dayOfAnotherYear = new Intl.DateTimeFormat(LANGUAGE, {
  day: "numeric",
  month: "short",
  year: "numeric",
});
const dayWithoutZone = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeZone: "UTC" });
const clockTime = new Intl.DateTimeFormat(LANGUAGE, { hour: "2-digit", minute: "2-digit" });
const clockTimeExact = new Intl.DateTimeFormat(LANGUAGE, { timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto" });
const andList = new Intl.ListFormat(LANGUAGE, { type: "conjunction" });

const BYTE_UNITS = ["kB", "MB", "GB", "TB", "PB"] as const;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const count = (value: number): string => wholeNumber.format(value);

/** `1 sample`, `96 samples`. */
export const counted = (value: number, one: string, many: string): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** Decimal sizes: `999 B`, `1.8 GB`, `412 GB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${count(bytes)} B`;
  let value = bytes / 1000;
  let step = 0;
  // 999.6 would be written as 1,000.
  while (value >= 999.5 && step < BYTE_UNITS.length - 1) {
    value /= 1000;
    step += 1;
  }
  return `${value < 99.95 ? upToOneDigit.format(value) : count(value)} ${BYTE_UNITS[step]}`;
}

/** To the minute, as a sheet of paper needs it or an appointment. */
export const minuteTime = (time: Date): string => dayAndMinute.format(time);

export const exactTime = (time: Date): string => dayAndTime.format(time);

export const clock = (time: Date): string => clockTime.format(time);

export const clockWithSeconds = (time: Date): string => clockTimeExact.format(time);

export const day = (time: Date, now: Date): string =>
  (time.getFullYear() === now.getFullYear() ? shortDay : dayOfAnotherYear).format(time);

/** A day as it is written, `2026-11-23`, without a time and its zone. */
export const calendarDay = (written: string): string => dayWithoutZone.format(new Date(written));

/** `now`, `5 minutes ago`, `yesterday`, `in 3 days`; beyond two weeks the day itself. */
export function ago(time: Date, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1000;
  const distance = Math.abs(seconds);
  if (distance < 45) return relative.format(0, "second");
  if (distance < 45 * MINUTE) return relative.format(Math.round(seconds / MINUTE), "minute");
  if (distance < 22 * HOUR) return relative.format(Math.round(seconds / HOUR), "hour");
  if (distance < 14 * DAY) return relative.format(Math.round(seconds / DAY), "day");
  return day(time, now);
}

/** How long something takes: `40 s`, `12 min`, `1 h 40 min`, `3 days`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${count(seconds)} s`;
  const minutes = Math.round(seconds / MINUTE);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) {
    const rest = minutes % 60;
    const hours = `${Math.floor(minutes / 60)} h`;
    return rest === 0 ? hours : `${hours} ${rest} min`;
  }
  return counted(Math.round(minutes / 60 / 24), "day", "days");
}

export const list = (words: readonly string[]): string => andList.format(words);
