import { type ReadonlySignal, signal } from "@preact/signals";
import { Problem } from "../../../api/problem";
import { asProblem } from "../../../api/resource";

/** How far one thing is; `refused` with the words of the service. */
export type State = { is: "waiting" | "running" | "done" } | { is: "refused"; why: string };

interface Thing {
  id: string;
}

/** Something that is done with many things, some at a time. */
export interface Work<T extends Thing> {
  readonly phase: ReadonlySignal<"asked" | "running" | "over">;
  readonly states: ReadonlySignal<ReadonlyMap<string, State>>;
  /** Do it with all things; resolves when it is over. `act` returns why some were refused, by id. */
  run(batches: readonly T[][], act: (batch: T[]) => Promise<ReadonlyMap<string, string>>): Promise<void>;
  /** Begin nothing more; what has begun is finished. */
  stop(): void;
}

/** How many batches are under way at a time: the service hashes four files at once, for everybody. */
const AT_ONCE = 3;

/** How often a batch that the service has no room for is sent again. */
const MOST_TRIES = 20;
const PAUSE_SECONDS = 5;

export function work<T extends Thing>(): Work<T> {
  const phase = signal<"asked" | "running" | "over">("asked");
  const states = signal<ReadonlyMap<string, State>>(new Map());
  const stopped = new AbortController();

  const put = (batch: readonly T[], state: (thing: T) => State): void => {
    const next = new Map(states.value);
    for (const thing of batch) next.set(thing.id, state(thing));
    states.value = next;
  };

  return {
    phase,
    states,
    async run(batches, act) {
      phase.value = "running";
      const waiting = [...batches];
      const next = async (): Promise<void> => {
        for (let batch = waiting.shift(); batch; batch = waiting.shift()) {
          if (stopped.signal.aborted) return;
          const current = batch;
          put(current, () => ({ is: "running" }));
          try {
            const refused = await whenThereIsRoom(() => act(current), stopped.signal);
            put(current, ({ id }) => {
              const why = refused.get(id);
              return why === undefined ? { is: "done" } : { is: "refused", why };
            });
          } catch (error) {
            const { message, details } = asProblem(error);
            const why = details.length > 0 ? details.map(({ reason }) => reason).join(", ") : message;
            put(current, () => ({ is: "refused", why }));
          }
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, next));
      phase.value = "over";
    },
    stop: () => stopped.abort(),
  };
}

/** Do something, and again later when the service says that too much is under way. */
async function whenThereIsRoom<A>(act: () => Promise<A>, until: AbortSignal): Promise<A> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      const isFull = error instanceof Problem && error.status === 429;
      if (!isFull || tries === MOST_TRIES || until.aborted) throw error;
      await pause(error.retryAfterSeconds ?? PAUSE_SECONDS, until);
    }
  }
}

function pause(seconds: number, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    until.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

/** Cut things into batches of at most so many, and of about so much; one that is larger stands alone. */
export function batchesOf<T>(
  things: readonly T[],
  most: { things: number; size?: number },
  sizeOf: (thing: T) => number = () => 0,
): T[][] {
  const batches: T[][] = [];
  let size = 0;
  for (const thing of things) {
    const last = batches.at(-1);
    size += sizeOf(thing);
    if (last && last.length < most.things && (most.size === undefined || size <= most.size)) last.push(thing);
    else {
      batches.push([thing]);
      size = sizeOf(thing);
    }
  }
  return batches;
}
