import { expect, test } from "vitest";
import { unitOf } from "../../src/screens/numbers/turnaround-axis";
import { numbersText } from "../../src/text/en/numbers";

const HOUR = 3600;
const DAY = 24 * HOUR;

test.each([
  [[null], 1],
  [[59], 1],
  [[null, 600], 60],
  [[HOUR, 600], HOUR],
  [[5 * HOUR], HOUR],
  [[47 * HOUR], HOUR],
  [[5 * HOUR, 2 * DAY], DAY],
])("times of %j seconds are drawn in units of %d", (times, unit) => {
  expect(unitOf(times)).toBe(unit);
});

test.each([
  [0, "0"],
  [2.5, "2.5 s"],
  [150, "2.5 min"],
  [1800, "30 min"],
  [HOUR, "1 h"],
  [5.2 * HOUR, "5 h 12 min"],
  [7.5 * HOUR, "7 h 30 min"],
  [1.5 * DAY, "36 h"],
  [2 * DAY, "2 d"],
  [2.5 * DAY, "2.5 d"],
  [12 * DAY, "12 d"],
])("%d seconds stand at an axis as %s", (seconds, words) => {
  expect(numbersText.takes(seconds)).toBe(words);
});

test.each([
  [null, 3, ["unknown"]],
  [1_234_567, 0, ["1,234,567"]],
  [1_234_567, 12, ["1,234,567", "12 samples unknown"]],
])("a sum of %j with %d samples unknown is told in parts", (sum, unknown, parts) => {
  expect(numbersText.readsOf(sum, unknown)).toEqual(parts);
});
