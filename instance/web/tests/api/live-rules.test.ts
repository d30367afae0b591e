import { describe, expect, test } from "vitest";
import {
  brings,
  FORGET_AFTER,
  isStale,
  MOST_TOPICS,
  messageOf,
  nextRead,
  pauseBefore,
  pollPause,
  READ_AT_MOST_EVERY,
  topicOf,
  union,
} from "../../src/api/live-rules";

test("pauses grow to a minute and stay there", () => {
  expect([0, 1, 2, 5, 6, 60].map((attempt) => pauseBefore(attempt, 0))).toEqual([
    1000, 2000, 4000, 32000, 60000, 60000,
  ]);
  expect(pauseBefore(60, 0.999)).toBeGreaterThanOrEqual(30000);
});

test("without a feed what runs is looked at every 2 seconds, else every 30, and never unseen", () => {
  expect(pollPause(true, true)).toBe(2000);
  expect(pollPause(true, false)).toBe(30000);
  expect(pollPause(false, true)).toBeNull();
});

test("what was read is read again a second later at the soonest", () => {
  expect(nextRead(5000, undefined)).toBe(5000);
  expect(nextRead(5000, 4500)).toBe(4500 + READ_AT_MOST_EVERY);
  expect(nextRead(5000, 1000)).toBe(5000);
});

test("what was confirmed more than three intervals ago is stale", () => {
  expect(isStale(6000, 0, 2000)).toBe(false);
  expect(isStale(6001, 0, 2000)).toBe(true);
});

describe("the topics of one feed", () => {
  test("are those of all tabs, each once", () => {
    const wants = [
      { topics: ["orders", "order:1"], saidAt: 0 },
      { topics: ["orders", "runs"], saidAt: 5 },
    ];
    expect(union(wants, 10)).toEqual(["order:1", "orders", "runs"]);
  });

  test("are not those of tabs that have been silent", () => {
    expect(union([{ topics: ["orders"], saidAt: 0 }], FORGET_AFTER + 1)).toEqual([]);
    expect(union([{ topics: ["orders"], saidAt: 0 }], FORGET_AFTER)).toEqual(["orders"]);
  });

  test("are no more than the server takes, and then those that were wanted last", () => {
    const many = Array.from({ length: MOST_TOPICS }, (_, number) => `order:${number}`);
    const found = union(
      [
        { topics: many, saidAt: 1 },
        { topics: ["runs"], saidAt: 2 },
      ],
      3,
    );
    expect(found).toHaveLength(MOST_TOPICS);
    expect(found).toContain("runs");
  });

  test("need no new feed when the open one brings them", () => {
    expect(brings(["orders", "runs"], ["runs"])).toBe(true);
    expect(brings(["orders"], ["orders", "runs"])).toBe(false);
  });
});

test.each(["", "{", "null", "[]", "7", "{}", '{"topic":7}'])("%s is no hint", (data) => {
  expect(topicOf(data)).toBeNull();
});

test("a hint has its topic", () => {
  expect(topicOf('{"topic":"order:1"}')).toBe("order:1");
});

test.each([null, 7, "want", {}, { kind: "other" }, { kind: "want", tab: "a" }, { kind: "gone" }])(
  "%j is no message",
  (value) => {
    expect(messageOf(value)).toBeNull();
  },
);

test("a message of another tab is understood", () => {
  expect(messageOf({ kind: "want", tab: "a", topics: ["orders"], more: 1 })).toEqual({
    kind: "want",
    tab: "a",
    topics: ["orders"],
  });
  expect(messageOf({ kind: "told", topics: ["orders", 7] })).toEqual({ kind: "told", topics: null });
});
