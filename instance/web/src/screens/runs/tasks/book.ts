import type { components } from "../../../api/schema";
import type { GanttBar } from "../../../parts/gantt-scale";

export type Task = components["schemas"]["instance.pipeline-run-tasks"]["tasks"][number];

export interface TaskPage {
  tasks: readonly Task[];
  total: number;
  cursor?: string | undefined;
  hasMore?: boolean | undefined;
  isReset?: boolean | undefined;
}

/** More are not held: a page of a browser would get slow, and nobody looks at them one by one. */
export const MOST_TASKS = 50_000;

/** The tasks of a run as far as they were read; each page brings what has changed since the last one. */
export class TaskBook {
  cursor = "0";
  total = 0;
  private byId = new Map<string, Task>();

  take({ tasks, total, cursor, isReset }: TaskPage): void {
    if (isReset) this.byId = new Map();
    for (const task of tasks) {
      if (this.byId.size < MOST_TASKS || this.byId.has(task.id)) this.byId.set(task.id, task);
    }
    this.total = total;
    this.cursor = cursor ?? this.cursor;
  }

  list(): Task[] {
    return [...this.byId.values()];
  }
}

const BAD = new Set(["FAILED", "ABORTED"]);
const GOOD = new Set(["COMPLETED", "CACHED"]);
const UNSTARTED = new Set(["NEW", "SUBMITTED", "PENDING"]);

export type TaskState = "failed" | "ended" | "running" | "waiting" | "cached" | "done";

/** What the status of a task, as engines write it, means. One of a run that is over is over too. */
export function stateOf({ status }: Pick<Task, "status">, isRunOver: boolean): TaskState {
  if (status === "FAILED") return "failed";
  if (BAD.has(status)) return "ended";
  if (GOOD.has(status)) return status === "CACHED" ? "cached" : "done";
  if (isRunOver) return "ended";
  return UNSTARTED.has(status) ? "waiting" : "running";
}

const BAR_STATES = {
  failed: "bad",
  ended: "calm",
  running: "run",
  waiting: "run",
  cached: "calm",
  done: "ok",
} as const;

/** Failed ones first, then what is not over, then the rest from the newest on. */
const RANK: Readonly<Record<TaskState, number>> = {
  failed: 0,
  running: 1,
  waiting: 2,
  ended: 3,
  done: 4,
  cached: 4,
};

const secondsOf = (time: string | null): number | null => (time === null ? null : Date.parse(time) / 1000);

export const barOf = (task: Task, isRunOver: boolean): GanttBar => ({
  id: task.id,
  lane: task.process,
  label: labelOf(task),
  waitsFrom: secondsOf(task.submittedAt),
  from: UNSTARTED.has(task.status) ? null : secondsOf(task.startedAt),
  to: secondsOf(task.completedAt),
  state: BAR_STATES[stateOf(task, isRunOver)],
});

export const labelOf = ({ tag, name, process }: Task): string => tag ?? name ?? process;

/** How long a task took; of one that is at work, until now. */
export function secondsTaken(task: Task, now: number): number | null {
  const from = secondsOf(task.startedAt ?? task.submittedAt);
  const to = secondsOf(task.completedAt);
  if (task.durationMs !== null && to !== null) return task.durationMs / 1000;
  if (from === null || (to === null && (BAD.has(task.status) || GOOD.has(task.status)))) return null;
  return Math.max(0, (to ?? now) - from);
}

const VALUES = {
  task: (task: Task) => `${task.process}\0${labelOf(task)}`,
  tag: labelOf,
  state: (task: Task, isRunOver: boolean) => RANK[stateOf(task, isRunOver)],
  attempt: ({ attempt }: Task) => attempt,
  exit: ({ exit }: Task) => exit,
  duration: (task: Task, _: boolean, now: number) => secondsTaken(task, now),
  cpu: ({ cpuPercent }: Task) => cpuPercent,
  memory: ({ peakRssBytes }: Task) => peakRssBytes,
  started: ({ startedAt, submittedAt }: Task) => startedAt ?? submittedAt,
} as const;

const isSortKey = (word: string): word is keyof typeof VALUES => Object.hasOwn(VALUES, word);

/** Sort by a column, `-duration` from the longest on; what has no value comes last. */
export function sorted(tasks: readonly Task[], sort: string, isRunOver: boolean, now: number): Task[] {
  const isDown = sort.startsWith("-");
  const word = isDown ? sort.slice(1) : sort;
  const key = isSortKey(word) ? word : "state";
  const keyed = tasks.map((task) => ({ task, value: VALUES[key](task, isRunOver, now) }));
  keyed.sort((one, other) => {
    if (one.value === null || other.value === null) {
      return Number(one.value === null) - Number(other.value === null);
    }
    const by = one.value < other.value ? -1 : one.value > other.value ? 1 : 0;
    return (isDown ? -by : by) || newerFirst(one.task, other.task);
  });
  return keyed.map(({ task }) => task);
}

function newerFirst(one: Task, other: Task): number {
  const [first, second] = [
    one.startedAt ?? one.submittedAt ?? "",
    other.startedAt ?? other.submittedAt ?? "",
  ];
  return first < second ? 1 : first > second ? -1 : 0;
}

/** Tasks whose process, tag or name holds a text. */
export function named(tasks: readonly Task[], words: string): readonly Task[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return tasks;
  return tasks.filter(({ process, tag, name }) =>
    [process, tag, name].some((text) => text?.toLowerCase().includes(wanted)),
  );
}
