import { describe, expect, test } from "vitest";
import { ago, counted, day, duration, size } from "../../src/text/format";

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1 kB"],
  [1_849_000, "1.8 MB"],
  [99_949, "99.9 kB"],
  [99_950, "100 kB"],
  [999_499, "999 kB"],
  [999_500, "1 MB"],
  [412_000_000_000, "412 GB"],
  [1_100_000_000_000, "1.1 TB"],
  [2e18, "2,000 PB"],
])("%d bytes are %s", (bytes, words) => {
  expect(size(bytes)).toBe(words);
});

test("one of something is not many", () => {
  expect([counted(1, "sample", "samples"), counted(1500, "sample", "samples")]).toEqual([
    "1 sample",
    "1,500 samples",
  ]);
});

describe("a time as people say it", () => {
  const now = new Date(2031, 4, 20, 12, 0, 0);
  const earlier = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);

  test.each([
    [earlier(44), "now"],
    [earlier(45), "1 minute ago"],
    [earlier(40 * 60), "40 minutes ago"],
    [earlier(3 * 3600), "3 hours ago"],
    [earlier(24 * 3600), "yesterday"],
    [earlier(13 * 86_400), "13 days ago"],
    [earlier(14 * 86_400), "6 May"],
    [earlier(-2 * 86_400), "in 2 days"],
  ])("%s", (time, words) => {
    expect(ago(time, now)).toBe(words);
  });

  test("a day of another year says the year", () => {
    expect(day(new Date(2030, 11, 31), now)).toBe("31 Dec 2030");
  });
});

test.each([
  [40, "40 s"],
  [60, "1 min"],
  [6000, "1 h 40 min"],
  [7200, "2 h"],
  [3 * 86_400, "3 days"],
])("%d seconds are %s", (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});
