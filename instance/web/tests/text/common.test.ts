import { expect, test } from "vitest";
import { text } from "../../src/text/en/common";

test.each([
  [1, "Try again in 1 s."],
  [59, "Try again in 59 s."],
  [61, "Try again in 2 min."],
  [900, "Try again in 15 min."],
  [3600, "Try again in 1 h."],
])("who comes back after %i seconds is let in", (seconds, words) => {
  expect(text.comeBackIn(seconds)).toBe(words);
});
