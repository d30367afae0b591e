import { expect, test } from "vitest";
import { asOf } from "../../src/api/live-rules";

const READ = new Date("2026-03-01T12:00:00Z");
const LATER = READ.getTime() + 60_000;

test("what was read is as new as the feed that tells of no change", () => {
  expect(asOf(READ, false, LATER)).toBe(LATER);
});

test("what was read after the feed's last word is as new as its reading", () => {
  expect(asOf(READ, false, READ.getTime() - 1)).toBe(READ.getTime());
});

test("what could not be read again is as old as it was read", () => {
  expect(asOf(READ, true, LATER)).toBe(READ.getTime());
});

test("nothing was read yet", () => {
  expect(asOf(null, false, LATER)).toBeNull();
});
