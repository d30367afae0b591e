/** Which file is next, and what is to be told of each. Nothing in here waits or sends. */
import type { Progress, State } from "./protocol";

/** How many files move at a time. */
export const AT_ONCE = 3;
/** A file that the service verifies moves no more: the next one takes its place, but not without end. */
const RUNNING_AT_MOST = 2 * AT_ONCE;

const ENDED = new Set<State["is"]>(["filed", "refused", "paused"]);
const RUNNING = new Set<State["is"]>(["sending", "hashing", "verifying", "elsewhere", "broken"]);

/** Whether bytes move, or will without anybody doing something. */
export const isUnderWay = (state: State): boolean => !ENDED.has(state.is);

/** The files in their order, each with its state. */
export class Queue {
  readonly #rows = new Map<string, Progress>();
  readonly #changed = new Set<string>();
  readonly #running = new Set<string>();

  get(id: string): Progress | undefined {
    return this.#rows.get(id);
  }

  /** Answers whether it is to be sent; a file that is on its way already goes on as it is. */
  add(id: string, sent: number): boolean {
    const known = this.#rows.get(id);
    if (known !== undefined && (isUnderWay(known.state) || this.#running.has(id))) return false;
    this.#rows.set(id, { id, state: { is: "waiting" }, sent, hashed: 0 });
    this.#changed.add(id);
    return true;
  }

  remove(id: string): void {
    this.#rows.delete(id);
    this.#changed.delete(id);
    this.#running.delete(id);
  }

  change(id: string, changes: Partial<Omit<Progress, "id">>): void {
    const row = this.#rows.get(id);
    if (row === undefined) return;
    Object.assign(row, changes);
    this.#changed.add(id);
  }

  /** Take the next files that may be sent now. A file that waits for somebody else or the line keeps its place. */
  take(): string[] {
    const taken: string[] = [];
    let moving = this.running().filter((id) => this.get(id)?.state.is !== "verifying").length;
    for (const { id, state } of this.#rows.values()) {
      if (moving >= AT_ONCE || this.#running.size >= RUNNING_AT_MOST) break;
      if (state.is !== "waiting" || this.#running.has(id)) continue;
      this.#running.add(id);
      moving += 1;
      taken.push(id);
    }
    return taken;
  }

  over(id: string): void {
    this.#running.delete(id);
  }

  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  /** Everything that waits and is not begun stops with what runs: who is asked to free a disk has time. */
  waiting(): string[] {
    return [...this.#rows.values()].filter(({ state }) => state.is === "waiting").map(({ id }) => id);
  }

  running(): string[] {
    return [...this.#running];
  }

  /** What changed since it was last asked for. */
  news(): Progress[] {
    const rows = [...this.#changed].flatMap((id) => this.#rows.get(id) ?? []);
    this.#changed.clear();
    return rows.map((row) => ({ ...row }));
  }
}

export const isMoving = (state: State): boolean => RUNNING.has(state.is);
