import { expect, test } from "vitest";
import { barOf, named, sorted, stateOf, type Task, TaskBook } from "../../src/screens/runs/tasks/book";

const task = (id: string, status: string, more: Partial<Task> = {}): Task => ({
  id,
  taskId: id,
  hash: null,
  process: "trim",
  tag: id,
  name: null,
  status,
  exit: null,
  attempt: 1,
  submittedAt: "2031-05-04T10:00:00.000Z",
  startedAt: "2031-05-04T10:00:05.000Z",
  completedAt: null,
  durationMs: null,
  cpuPercent: null,
  peakRssBytes: null,
  ...more,
});

test("a later page replaces what has changed, and a reset all of it", () => {
  const book = new TaskBook();
  book.take({ tasks: [task("a", "RUNNING"), task("b", "RUNNING")], total: 2, cursor: "1.b" });
  book.take({ tasks: [task("a", "COMPLETED")], total: 2, cursor: "2.a" });

  expect(book.list().map(({ id, status }) => [id, status])).toEqual([
    ["a", "COMPLETED"],
    ["b", "RUNNING"],
  ]);
  expect(book.cursor).toBe("2.a");
  book.take({ tasks: [task("c", "RUNNING")], total: 1, cursor: "1.c", isReset: true });
  expect(book.list().map(({ id }) => id)).toEqual(["c"]);
});

test("failed tasks come first, and what has no value last", () => {
  const tasks = [task("done", "COMPLETED"), task("run", "RUNNING"), task("bad", "FAILED", { exit: 1 })];

  expect(sorted(tasks, "state", false, 0).map(({ id }) => id)).toEqual(["bad", "run", "done"]);
  expect(sorted(tasks, "-exit", false, 0)[0]?.id).toBe("bad");
  expect(sorted(tasks, "rubbish", false, 0)[0]?.id).toBe("bad");
});

test("a task that is open when its run is over has ended early", () => {
  expect(stateOf({ status: "RUNNING" }, true)).toBe("ended");
  expect(stateOf({ status: "SUBMITTED" }, false)).toBe("waiting");
  expect(barOf(task("a", "RUNNING"), true)).toMatchObject({ state: "calm", to: null });
});

test("tasks are found by process, tag and name", () => {
  const tasks = [task("a", "RUNNING"), task("b", "RUNNING", { name: "QC (x)" })];

  expect(named(tasks, "qc").map(({ id }) => id)).toEqual(["b"]);
  expect(named(tasks, " ")).toBe(tasks);
});
