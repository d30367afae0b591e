import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { text } from "../text/en/common";
import { Problem } from "./problem";

export const OUTLINE_AFTER_MS = 150;
export const SLOW_AFTER_MS = 10_000;

/** Something that is read from the service, and read again: the old answer stays while the new one is fetched. */
export interface Resource<T> {
  readonly data: ReadonlySignal<T | null>;
  readonly problem: ReadonlySignal<Problem | null>;
  /** `outline` from 150 ms, `slow` from 10 s on. */
  readonly waiting: ReadonlySignal<"no" | "outline" | "slow">;
  /** When the answer arrived. */
  readonly at: ReadonlySignal<Date | null>;
  /** Read again; while a read is under way, once more after it. Settles when what it asked for has arrived. */
  reload(): Promise<void>;
  /** Take what another call answered, a save for example. */
  put(data: T): void;
  stop(): void;
}

export function resource<T>(read: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const data = signal<T | null>(null);
  const problem = signal<Problem | null>(null);
  const waiting = signal<"no" | "outline" | "slow">("no");
  const at = signal<Date | null>(null);
  let running: { mine: AbortController; done: Promise<void> } | null = null;
  let next: Promise<void> | null = null;

  const put = (answer: T): void =>
    batch(() => {
      data.value = answer;
      problem.value = null;
      at.value = new Date();
    });

  async function fetchOnce(mine: AbortController): Promise<void> {
    const outline = setTimeout(() => (waiting.value = "outline"), OUTLINE_AFTER_MS);
    const slow = setTimeout(() => (waiting.value = "slow"), SLOW_AFTER_MS);
    try {
      const answer = await read(mine.signal);
      if (!mine.signal.aborted) put(answer);
    } catch (error) {
      if (!mine.signal.aborted) problem.value = asProblem(error);
    } finally {
      clearTimeout(outline);
      clearTimeout(slow);
      if (running?.mine === mine) {
        running = null;
        waiting.value = "no";
      }
    }
  }

  function begin(): Promise<void> {
    const mine = new AbortController();
    const done = fetchOnce(mine);
    running = { mine, done };
    return done;
  }

  // What is under way is finished, and then exactly one more is made: hints that come faster than answers
  // neither keep every answer away nor pile up.
  function reload(): Promise<void> {
    if (running === null) return begin();
    const { mine, done } = running;
    next ??= done.then(() => {
      if (mine.signal.aborted) return;
      next = null;
      return begin();
    });
    return next;
  }

  function stop(): void {
    running?.mine.abort();
    running = null;
    next = null;
    waiting.value = "no";
  }

  return { data, problem, waiting, at, reload, put, stop };
}

/** Make a resource for as long as a component shows it, and anew when `keys` change. */
export function useResource<T>(
  read: (signal: AbortSignal) => Promise<T>,
  keys: readonly unknown[],
): Resource<T> {
  const made = useMemo(() => resource(read), keys);
  useEffect(() => {
    void made.reload();
    return made.stop;
  }, [made]);
  return made;
}

/** As `useResource`, but for a list that is narrowed: what was shown stays until the answer for the new keys is there. */
export function useList<T>(read: (signal: AbortSignal) => Promise<T>, keys: readonly unknown[]): Resource<T> {
  const latest = useRef(read);
  latest.current = read;
  const made = useMemo(() => resource((signal: AbortSignal) => latest.current(signal)), []);
  useEffect(() => {
    void made.reload();
    return made.stop;
  }, keys);
  return made;
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  console.error(error);
  return new Problem(text.defect, 0);
}

/** What a button started: whether it runs, and how it was refused. */
export interface Action<A extends unknown[]> {
  readonly isRunning: ReadonlySignal<boolean>;
  readonly problem: ReadonlySignal<Problem | null>;
  run(...values: A): Promise<boolean>;
}

/** A second click while the first one runs does nothing. `run` answers whether it was done. */
export function action<A extends unknown[]>(act: (...values: A) => Promise<void>): Action<A> {
  const isRunning = signal(false);
  const problem = signal<Problem | null>(null);
  return {
    isRunning,
    problem,
    async run(...values) {
      if (isRunning.value) return false;
      isRunning.value = true;
      problem.value = null;
      try {
        await act(...values);
        return true;
      } catch (error) {
        problem.value = asProblem(error);
        return false;
      } finally {
        isRunning.value = false;
      }
    },
  };
}

/** An action of a component. It does what the newest `act` says: one of an earlier drawing knows old properties. */
export function useAction<A extends unknown[]>(act: (...values: A) => Promise<void>): Action<A> {
  const newest = useRef(act);
  newest.current = act;
  return useMemo(() => action((...values: A) => newest.current(...values)), []);
}
