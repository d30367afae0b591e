import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Forum, forum } from "../../src/api/live-forum";

let now = 0;
let asked: Forum;

beforeEach(() => {
  vi.useFakeTimers();
  now = 0;
  asked = forum(() => now);
});

afterEach(() => {
  vi.useRealTimers();
});

function pass(milliseconds: number): void {
  now += milliseconds;
  vi.advanceTimersByTime(milliseconds);
}

test("only who listens to a topic is told", () => {
  const [orders, runs] = [vi.fn(), vi.fn()];
  asked.join("orders", orders, 1000);
  asked.join("runs", runs, 1000);

  asked.tell(["orders"]);
  pass(0);

  expect(orders).toHaveBeenCalledOnce();
  expect(runs).not.toHaveBeenCalled();
});

test("many changes within a second are one more reading, at its end", () => {
  const run = vi.fn();
  asked.join("run:1", run, 1000);
  asked.tell(["run:1"]);
  pass(0);

  for (let change = 0; change < 50; change += 1) asked.tell(["run:1"]);
  pass(999);
  expect(run).toHaveBeenCalledTimes(1);
  pass(1);

  expect(run).toHaveBeenCalledTimes(2);
});

test("a hidden page reads nothing, and once when it is seen again", () => {
  const run = vi.fn();
  asked.join("orders", run, 1000);
  asked.hold(true);
  asked.tell(["orders"]);
  asked.tell(["orders"]);
  pass(5000);
  expect(run).not.toHaveBeenCalled();

  asked.hold(false);
  pass(0);

  expect(run).toHaveBeenCalledOnce();
});

test("who has left is not told, also of what was waiting", () => {
  const run = vi.fn();
  const leave = asked.join("orders", run, 1000);
  asked.tell(["orders"]);

  leave();
  pass(1000);

  expect(run).not.toHaveBeenCalled();
  expect(asked.topics()).toEqual([]);
});
