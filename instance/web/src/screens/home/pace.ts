import { useRef } from "preact/hooks";
import type { Overview } from "./state";

/** What the service had received of an order's open uploads, and when the last byte of it came. */
export interface Received {
  atMs: number;
  bytes: number;
  /** Of how many: another number is of other files. */
  of: number;
}

/** As long as a pause for breath of a network; over more, a pace is of the past. */
const WINDOW_MS = 20_000;

/** Add what was seen now; what is older than the window goes, and all when files came or were filed. */
export function seenAfter(before: readonly Received[], now: Received): readonly Received[] {
  const last = before.at(-1);
  if (!last || last.of !== now.of || now.bytes < last.bytes) return [now];
  if (now.atMs <= last.atMs) return before;
  return [...before, now].filter(({ atMs }) => now.atMs - atMs <= WINDOW_MS);
}

/** Bytes for each second; null as long as nobody can tell. */
export function paceOf(seen: readonly Received[]): number | null {
  const [first, last] = [seen[0], seen.at(-1)];
  if (!first || !last || last.atMs <= first.atMs || last.bytes <= first.bytes) return null;
  return ((last.bytes - first.bytes) * 1000) / (last.atMs - first.atMs);
}

/** The pace of each order's uploads, from one answer of the service to the next: by its clock, not by ours. */
export function usePaces({ running }: Pick<Overview, "running">): (orderId: string) => number | null {
  const seen = useRef(new Map<string, readonly Received[]>());
  const now = new Map<string, readonly Received[]>();
  for (const { kind, order, since, receivedBytes, expectedBytes } of running) {
    if (kind !== "UPLOAD" || !order || receivedBytes === undefined || expectedBytes === undefined) continue;
    const received = { atMs: Date.parse(since), bytes: receivedBytes, of: expectedBytes };
    now.set(order.id, seenAfter(seen.current.get(order.id) ?? [], received));
  }
  seen.current = now;
  return (orderId) => paceOf(now.get(orderId) ?? []);
}
