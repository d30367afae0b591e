/** Decisions of the live feed, without a browser. Times are milliseconds of a clock that only goes on. */

export const READ_AT_MOST_EVERY = 1000;
export const POLL_RUNNING = 2_000;
export const POLL_QUIET = 30_000;
/** The feed says every 15 seconds that it is alive; three of them lost is a connection that is lost. */
export const SILENT_AFTER = 45_000;
/** A tab says this often what it wants; background tabs get a timer a minute. */
export const SAY_EVERY = 60_000;
export const FORGET_AFTER = 3.5 * SAY_EVERY;
export const MOST_TOPICS = 64;

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;

/** Growing pauses, each shortened by up to a half at random: tabs of a whole lab do not come back at once. */
export function pauseBefore(attempt: number, random: number): number {
  const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(attempt, 16));
  return Math.round(longest * (1 - random / 2));
}

/** How long to wait between two looks without a feed; null is not to look. */
export function pollPause(isVisible: boolean, isRunning: boolean): number | null {
  if (!isVisible) return null;
  return isRunning ? POLL_RUNNING : POLL_QUIET;
}

/** When something may be read again that was read at `last`. */
export function nextRead(now: number, last: number | undefined): number {
  return last === undefined ? now : Math.max(now, last + READ_AT_MOST_EVERY);
}

/** Whether what is shown is older than it should be: three intervals. */
export function isStale(now: number, asOf: number, interval: number): boolean {
  return now - asOf > 3 * interval;
}

/**
 * Of when what is shown is: what was read holds for as long as the feed told of no change, unless it could not
 * be read again since. Null before it was read.
 */
export function asOf(readAt: Date | null, hasFailed: boolean, liveAt: number): number | null {
  if (readAt === null) return null;
  return hasFailed ? readAt.getTime() : Math.max(readAt.getTime(), liveAt);
}

export type Want = { topics: readonly string[]; saidAt: number };

/** The topics that tabs want, those of the tabs that spoke last first where there are too many. */
export function union(wants: Iterable<Want>, now: number): string[] {
  const recent = [...wants].filter((want) => now - want.saidAt <= FORGET_AFTER);
  recent.sort((one, other) => other.saidAt - one.saidAt);
  return [...new Set(recent.flatMap((want) => want.topics))].slice(0, MOST_TOPICS).sort();
}

/** Whether an open feed already brings all topics; it is not opened anew to bring fewer. */
export function brings(open: readonly string[], wanted: readonly string[]): boolean {
  const known = new Set(open);
  return wanted.every((topic) => known.has(topic));
}

/** The topic of an event `changed`, null for anything else. */
export function topicOf(data: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || !("topic" in value)) return null;
  return typeof value.topic === "string" ? value.topic : null;
}

export type Message =
  | { kind: "want"; tab: string; topics: string[] }
  | { kind: "gone"; tab: string }
  | { kind: "who" }
  | { kind: "told"; topics: string[] | null }
  | { kind: "state"; isConnected: boolean };

/** A message of another tab, which may be of another release: null for one that is not understood. */
export function messageOf(value: unknown): Message | null {
  if (typeof value !== "object" || value === null || !("kind" in value)) return null;
  const tab = "tab" in value && typeof value.tab === "string" ? value.tab : null;
  const topics = "topics" in value ? texts(value.topics) : null;
  switch (value.kind) {
    case "want":
      return tab !== null && topics !== null ? { kind: "want", tab, topics } : null;
    case "gone":
      return tab !== null ? { kind: "gone", tab } : null;
    case "who":
      return { kind: "who" };
    case "told":
      return { kind: "told", topics };
    case "state":
      return { kind: "state", isConnected: "isConnected" in value && value.isConnected === true };
    default:
      return null;
  }
}

function texts(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null;
  const found: string[] = [];
  for (const one of value) {
    if (typeof one !== "string") return null;
    found.push(one);
  }
  return found;
}
