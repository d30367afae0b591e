/** Who listens to which topic, how often they may be told, and what they missed while the page was hidden. */

interface Listener {
  readonly topic: string;
  readonly run: () => void;
  readonly everyMs: number;
  last: number;
  timer: ReturnType<typeof setTimeout> | null;
  missed: boolean;
}

export interface Forum {
  join(topic: string, run: () => void, everyMs: number): () => void;
  topics(): string[];
  tell(topics: readonly string[]): void;
  /** While held, what is told waits; it is passed on once when the hold ends. */
  hold(isHeld: boolean): void;
}

export function forum(now: () => number = () => performance.now()): Forum {
  const listeners = new Set<Listener>();
  let isHeld = false;

  function pass(listener: Listener): void {
    if (isHeld) {
      listener.missed = true;
      return;
    }
    if (listener.timer !== null) return;
    const wait = Math.max(0, listener.last + listener.everyMs - now());
    listener.timer = setTimeout(() => {
      listener.timer = null;
      listener.last = now();
      listener.run();
    }, wait);
  }

  return {
    join(topic, run, everyMs) {
      const listener: Listener = { topic, run, everyMs, last: -everyMs, timer: null, missed: false };
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listener.timer !== null) clearTimeout(listener.timer);
      };
    },
    topics: () => [...new Set([...listeners].map(({ topic }) => topic))],
    tell(topics) {
      for (const listener of listeners) if (topics.includes(listener.topic)) pass(listener);
    },
    hold(held) {
      isHeld = held;
      if (held) return;
      for (const listener of listeners) {
        if (!listener.missed) continue;
        listener.missed = false;
        pass(listener);
      }
    },
  };
}
