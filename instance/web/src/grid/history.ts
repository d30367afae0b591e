/** Undo and redo. Steps share the rows that they did not change, so 100 of them cost little. */

export interface History<T> {
  readonly past: readonly T[];
  readonly now: T;
  readonly future: readonly T[];
}

export const MAX_STEPS = 100;

export function begin<T>(now: T): History<T> {
  return { past: [], now, future: [] };
}

export function record<T>({ past, now }: History<T>, next: T): History<T> {
  return { past: [...past, now].slice(-MAX_STEPS), now: next, future: [] };
}

/** Change what is there without a step, in the past and the future too: what the server said is no edit. */
export function amended<T>({ past, now, future }: History<T>, amend: (value: T) => T): History<T> {
  return { past: past.map(amend), now: amend(now), future: future.map(amend) };
}

export function undone<T>({ past, now, future }: History<T>): History<T> {
  const before = past.at(-1);
  return before === undefined
    ? { past, now, future }
    : { past: past.slice(0, -1), now: before, future: [now, ...future] };
}

export function redone<T>({ past, now, future }: History<T>): History<T> {
  const [next, ...rest] = future;
  return next === undefined ? { past, now, future } : { past: [...past, now], now: next, future: rest };
}
